#!/bin/sh
# Prints the names of the kernels in kernels/ with a fact line that matches REGEX, one per line.
#
#   setup/kernels_with.sh REGEX        setup/kernels_with.sh 'counts: *vary'
set -eu
cd "$(dirname "$0")/.."
grep -rl --include='*.cu' --exclude-dir=support "^// $1" kernels | sed 's|.*/||; s|\.cu||' | sort
