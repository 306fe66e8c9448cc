# From `redsweep show --info` to small tables: of units (column, unit), of the device's facts with `started`
# (name, value), and of workloads (kernel, workload, role). `progress`: of all n of a search, times and ids.
$1 ~ /^columns\.[0-9]+\.name$/ { name = $2 }
$1 ~ /^columns\.[0-9]+\.unit$/ { print name "\t" $2 > units }
sub(/^provenance\.device\./, "", $1) { print $1 "\t" $2 > facts }
$1 == "provenance.redsweep" { print "redsweep\t" $2 > facts }
$1 == "provenance.started" && started == "" { started = $2 }
$1 == "sessions.0.since" { started = $2 }
$1 ~ /^provenance\.kernels\.[0-9]+\.name$/ { kernel = $2 }
$1 ~ /^provenance\.kernels\.[0-9]+\.workload$/ { workload = $2 }
$1 ~ /^provenance\.kernels\.[0-9]+\.role$/ { print kernel "\t" workload "\t" $2 > workloads }
$1 ~ /^sessions\.[0-9]+\.search\.[0-9]+\.progress$/ { progress = progress " " $2 }
END {
    print "started\t" started > facts
    print "progress\t" progress > facts
}
