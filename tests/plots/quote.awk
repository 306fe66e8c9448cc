# The input's lines as layout.awk quotes them.
{ print quote($0) }
function stop(why) { print why; exit 1 }
function label_of(kernel) { return kernel }
