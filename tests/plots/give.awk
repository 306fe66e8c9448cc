# Gives one statement to gnuplot by layout.awk's function, as the charts do.
BEGIN {
    # -v has taken away backslashes, which none of the statements has.
    give(statement, file)
}
function stop(why) { print why; exit 1 }
function label_of(kernel) { return kernel }
