#!/bin/sh
# Prints the CMake package file for a library that `make tuned` built (find_package(NAMES_tuned)):
#
#   setup/cmake_package.sh NAMES LIB INCLUDE [version]
#
# LIB and INCLUDE are the library's and the header's folders, relative to that of the package file,
# so that all of them can be moved together. With the word "version", prints the companion file in
# which CMake looks up the version. The Makefile sets the variables CUDA and VERSION. CMake looks
# for the CUDA runtime in CUDA first.
set -eu
name=$1_tuned
if [ "${4-}" = version ]; then
    cat <<CMAKE
set(PACKAGE_VERSION "$VERSION")
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
CMAKE
    exit
fi
cat <<CMAKE
# Reductions on a GPU, chosen by measurement: target_link_libraries(program PRIVATE $name::$name)
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_path(${name}_CUDA_INCLUDE cuda_runtime.h HINTS "\${CUDAToolkit_ROOT}/include" "$CUDA/include" ENV CUDA_PATH PATH_SUFFIXES include)
find_library(${name}_CUDA_RUNTIME cudart HINTS "\${CUDAToolkit_ROOT}/lib64" "$CUDA/lib64" ENV CUDA_PATH PATH_SUFFIXES lib64)
if(NOT ${name}_CUDA_INCLUDE OR NOT ${name}_CUDA_RUNTIME)
  set(${name}_FOUND FALSE)
  set(${name}_NOT_FOUND_MESSAGE "The CUDA runtime (cuda_runtime.h, libcudart) was not found; set CUDAToolkit_ROOT to CUDA's folder.")
  return()
endif()
if(NOT TARGET $name::$name)
  get_filename_component(${name}_library "\${CMAKE_CURRENT_LIST_DIR}/$2/lib$name.a" ABSOLUTE)
  get_filename_component(${name}_include "\${CMAKE_CURRENT_LIST_DIR}/$3" ABSOLUTE)
  add_library($name::$name STATIC IMPORTED)
  set_target_properties($name::$name PROPERTIES
    IMPORTED_LOCATION "\${${name}_library}"
    INTERFACE_INCLUDE_DIRECTORIES "\${${name}_include};\${${name}_CUDA_INCLUDE}"
    INTERFACE_LINK_LIBRARIES "\${${name}_CUDA_RUNTIME};Threads::Threads;\${CMAKE_DL_LIBS};rt;m")
endif()
CMAKE
