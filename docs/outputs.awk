# This script puts what a command prints between two lines of a page:
#
#   <!-- output COMMAND -->
#   <!-- end -->
#
# COMMAND is run from the repository's root. A command that fails is an error.

function stop(why) {
    print FILENAME ":" FNR ": " why > "/dev/stderr"
    failed = 1
    exit 1
}

/^<!-- output / {
    if (inside)
        stop("an output begins inside of another one")
    print
    command = substr($0, 13)
    sub(/ *-->$/, "", command)
    while ((command | getline line) > 0)
        print line
    if (close(command) != 0)
        stop("failed: " command)
    inside = 1
    next
}
/^<!-- end -->/ {
    if (!inside)
        stop("an output ends that did not begin")
    inside = 0
}
!inside { print }
END {
    if (!failed && inside) {
        print FILENAME ": the last output has no end" > "/dev/stderr"
        exit 1
    }
}
