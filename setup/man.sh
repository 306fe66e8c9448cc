#!/bin/sh
# Makes manual pages from the program's own help: setup/man.sh REDSWEEP VERSION FOLDER
#
# redsweep.1 comes from `redsweep --help`, and redsweep-COMMAND.1 from each `redsweep COMMAND
# --help`, so the pages always match the help.
set -eu
redsweep=$1 version=$2 folder=$3
LC_ALL=C
export LC_ALL


commands=$("$redsweep" --help | awk '/^  redsweep [a-z]+ / { print $2 }')

# An indented line of options and their help becomes an entry; other indented lines are kept as they
# are.
page() { # NAME ONE-LINE-DESCRIPTION
    awk -v name="$1" -v what="$2" -v version="$version" '
    function plain(text) {
        gsub(/\\/, "\\e", text)
        gsub(/…/, "...", text)
        gsub(/-/, "\\-", text)
        gsub(/\047/, "\\(aq", text)
        gsub(/`/, "\\(ga", text)
        if (text ~ /^\./) text = "\\&" text # groff treats lines that start with a dot as requests
        return text
    }
    function mode(wanted) {
        if (now == "example" && wanted != "example") print ".fi\n.RE"
        if (wanted == "example" && now != "example") print ".PP\n.RS 2\n.nf"
        now = wanted
    }
    NR == 1 {
        printf ".TH %s 1 \"\" \"redsweep %s\" \"redsweep\"\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", \
            toupper(plain(name)), version, plain(name), plain(what)
        if ($0 ~ /^redsweep [0-9]/) print ".B redsweep\n.I COMMAND\n.RI [ arguments ]"
        else print plain($0)
        print ".SH DESCRIPTION"
        next
    }
    /^Exit codes:/ { mode("text"); print ".SH EXIT STATUS"; sub(/^Exit codes: */, "") ; print plain($0); ended = 1; next }
    /^  --[^ ]+( [^ -][^ ]*)?  +[^ ]/ { # an option and its help
        mode("option")
        match($0, /^  --[^ ]+( [^ -][^ ]*)?/)
        option = substr($0, 3, RLENGTH - 2)
        text = substr($0, RLENGTH + 1)
        sub(/^ +/, "", text)
        printf ".TP\n.B %s\n%s\n", plain(option), plain(text)
        next
    }
    /^  redsweep [a-z]+ .*  +[^ ]/ && name == "redsweep" {
        mode("option")
        at = match($0, /   *[^ ]/)
        words = $0
        sub(/^ +/, "", words)
        n = split(words, part, /  +/)
        printf ".TP\n.B %s\n%s (redsweep\\-%s(1))\n", plain(n > 2 ? part[1] " " part[2] : part[1]), plain(part[n]), $2
        next
    }
    /^                  +/ && now == "option" { sub(/^ +/, ""); print plain($0); next }
    /^ / { mode("example"); print plain($0); next }
    /^$/ { if (now == "example") { print ""; next } mode("text"); print ".PP"; next }
    { mode("text"); print plain($0) }
    END { mode("text") }'
}

"$redsweep" --help | page redsweep 'how GPU reductions behave, and which one to use' >"$folder/redsweep.1"
cat >>"$folder/redsweep.1" <<'ROFF'
.SH ENVIRONMENT
.TP
.B REDSWEEP_CACHE
the folder of compiled kernels; by default $XDG_CACHE_HOME/redsweep or ~/.cache/redsweep
.TP
.B REDSWEEP_HOME
the folder that holds kernels/, plots/ and configs/, instead of the installed one
.TP
.B CUDA_HOME
a CUDA Toolkit to look for NVRTC and CUPTI in, before all others
.TP
.B CUDA_VISIBLE_DEVICES
the GPUs that are there, as for every CUDA program
.TP
.B PAGER
what shows long tables on a terminal; by default less
.SH SEE ALSO
ROFF
for command in $commands; do
    line=$("$redsweep" --help | awk -v c="$command" '$1 == "redsweep" && $2 == c { n = split($0, part, /  +/); print part[n]; exit }')
    "$redsweep" "$command" --help | page "redsweep-$command" "$line" >"$folder/redsweep-$command.1"
    printf '.SH SEE ALSO\n.BR redsweep (1)\n' >>"$folder/redsweep-$command.1"
    printf '.BR redsweep\\-%s (1)\n' "$command" >>"$folder/redsweep.1"
done
