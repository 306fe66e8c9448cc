#!/bin/sh
# This script prints the number of rows of a run for which an expression is true:
# tests/count_rows.sh REDSWEEP RUN EXPR
set -eu
"$1" show "$2" --where "$3" --columns id --csv - | sed 1d | wc -l
