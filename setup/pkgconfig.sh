#!/bin/sh
# Prints the pkg-config file for a library that `make tuned` built: setup/pkgconfig.sh NAMES PREFIX
# LIB INCLUDE
#
# LIB and INCLUDE are below PREFIX ("" or "/lib"). make sets CUDA and VERSION.
set -eu
cat <<PC
prefix=$2
libdir=\${prefix}$3
includedir=\${prefix}$4

Name: $1_tuned
Description: Reductions on a GPU, chosen by measurement
Version: $VERSION
Cflags: -I\${includedir} -I$CUDA/include
Libs: -L\${libdir} -l$1_tuned -L$CUDA/lib64 -lcudart -lpthread -ldl -lrt -lm
PC
