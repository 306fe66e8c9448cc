# Turns the commands that make would run into compile_commands.json, with one entry per
# C file.
# dir=FOLDER awk -f setup/compile_commands.awk

function quoted(s) {
    gsub(/\\/, "\\\\", s)
    gsub(/"/, "\\\"", s)
    return "\"" s "\""
}

BEGIN { print "[" }

/ -c -o / && $NF ~ /\.c$/ {
    printf "%s{\"directory\": %s, \"file\": %s, \"command\": %s}", many++ ? ",\n" : "", quoted(ENVIRON["dir"]), quoted($NF), quoted($0)
}

END { print "\n]" }
