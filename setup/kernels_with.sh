#!/bin/sh
# The names of the kernels of kernels/ that have a line among their facts, a line each.
#
#   setup/kernels_with.sh REGEX        setup/kernels_with.sh 'counts: *vary'
set -eu
cd "$(dirname "$0")/.."
grep -rl --include='*.cu' --exclude-dir=support "^// $1" kernels | sed 's|.*/||; s|\.cu||' | sort
