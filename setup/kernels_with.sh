#!/bin/sh
# Prints the names of the kernels in kernels/ that have a fact whose line matches REGEX, one name
# per line.
#
#   setup/kernels_with.sh REGEX        setup/kernels_with.sh 'counts: *vary'
set -eu
cd "$(dirname "$0")/.."
grep -rl --include='*.cu' --exclude-dir=support "^// $1" kernels | sed 's|.*/||; s|\.cu||' | sort
