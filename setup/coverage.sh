#!/bin/sh
# Writes a table of harness/'s line coverage to FOLDER/coverage.md, from the tests that were run in
# FOLDER, which was built with --coverage. Called by `make coverage`:
#
#   setup/coverage.sh FOLDER
#
# The exit code is 1 if less than 90 % of the lines ran, or less than 88 % of a file that
# setup/coverage.txt does not list with a reason. The limit per file is lower because the lines that
# run vary slightly; the table shows files below 90 % anyway. tests/coverage.md is a copy of the
# table.
set -eu
folder=$1
gcovr -r . "$folder/harness" -f harness/ --csv "$folder/coverage.csv"
gcovr -r . "$folder/harness" -f harness/ --txt "$folder/coverage.txt" # with the numbers of the lines
awk -F, -v reasons=setup/coverage.txt '
    BEGIN {
        while ((getline line < reasons) > 0) {
            if (line ~ /^#/ || line == "")
                continue
            file = line
            sub(/ .*/, "", file)
            sub(/^[^ ]* +/, "", line)
            why["harness/" file] = line
        }
    }
    NR == 1 { next } # filename,line_total,line_covered,…
    {
        room = $1
        sub(/\/[^\/]*$/, "", room)
        rooms[room] = rooms[room] ? rooms[room] : ++count
        name[rooms[room]] = room
        lines[room] += $2
        ran[room] += $3
        all += $2
        all_ran += $3
        if ($3 < 0.9 * $2) {
            low[++low_count] = sprintf("| %s | %d | %.0f %% | %s |", $1, $2, 100 * $3 / $2, why[$1])
            if (why[$1] == "" && $3 < 0.88 * $2)
                unnamed = unnamed " " $1
        }
    }
    END {
        print "# What the tests run through\n"
        printf "`make coverage` found that %.1f %% of the %d lines of `harness/` are executed (gcov, gcc -O0). ", 100 * all_ran / all, all
        print "It runs `make test` without a GPU, and without tests that take long and execute no additional code."
        print "\n| room | lines | run |\n| --- | ---: | ---: |"
        for (i = 1; i <= count; i++)
            printf "| %s | %d | %.1f %% |\n", name[i], lines[name[i]], 100 * ran[name[i]] / lines[name[i]]
        print "\n`devices/cuda` runs on a fake CUDA runtime here (`tests/devices/fake_cuda.c`), and on a GPU in `make test-gpu`. Most lines that are not executed handle failures to get a file, a process or memory; `build/coverage/coverage.txt` has the lines.\n"
        if (low_count) {
            print "Files with less than 90 %:\n\n| file | lines | run | what does not run, and why |\n| --- | ---: | ---: | --- |"
            for (i = 1; i <= low_count; i++)
                print low[i]
        }
        if (unnamed)
            print "coverage: less than 90 %, without a reason in setup/coverage.txt:" unnamed >"/dev/stderr"
        if (all_ran < 0.9 * all)
            print "coverage: less than 90 % of all lines" >"/dev/stderr"
        exit unnamed != "" || all_ran < 0.9 * all
    }' "$folder/coverage.csv" >"$folder/coverage.md" || { cat "$folder/coverage.md"; exit 1; }
sed -n 3p "$folder/coverage.md"
