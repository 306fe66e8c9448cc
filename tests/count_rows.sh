#!/bin/sh
# Prints for how many rows of a run an expression is true:
# tests/count_rows.sh REDSWEEP RUN EXPR
set -eu
"$1" show "$2" --where "$3" --columns id --csv - | sed 1d | wc -l
