# Fills the tables of a page from recorded runs. With plots/csv.awk:
#
#   awk -f plots/csv.awk -f docs/tables.awk page.md > page.new
#
# A table is between two lines of the page:
#
#   <!-- table run=FOLDER rows=KERNEL[:UNROLL],… columns=COLUMN,… AXIS=VALUE … -->
#   <!-- end -->
#
# One row for each entry of `rows`, in that order: the fastest ok row of that kernel (and unroll
# factor) whose axes and tunables have the given values; the first one where there are no times. Columns are those of results.csv, or
# computed ones (see compute). A cell that the run has no value for is left empty; a row that it
# does not have is an error. A run that is not there yet leaves a line that says so.

function stop(why) {
    print FILENAME ":" FNR ": " why > "/dev/stderr"
    failed = 1
    exit 1
}

function prepare() {
    head["kernel"] = "kernel"
    head["block"] = "threads per block"
    head["time_us_median"] = "time (µs)"
    head["speedup"] = "faster than the first"
    head["bandwidth_gbs"] = "useful GB/s"
    head["peak_pct"] = "of the peak (%)"
    head["gld_requests"] = "load requests"
    head["gld_transactions"] = "sectors loaded"
    head["gst_transactions"] = "sectors stored"
    head["gld_efficiency"] = "of the loaded bytes used (%)"
    head["inst_per_warp"] = "instructions per warp"
    head["warp_execution_efficiency"] = "active lanes (%)"
    head["loaded_mb"] = "loaded (10⁶ bytes)"
    head["loaded_gbs"] = "loaded GB/s"
    head["gld_throughput"] = "gld_throughput, as printed (GB/s)"
    head["printed_mb"] = "throughput × time (10⁶ bytes)"
    head["requests_per_element"] = "load requests per 32 elements"
    head["shared_load_bank_conflicts"] = "bank conflicts, loads"
    head["occupancy_pct"] = "warps resident (%)"
    head["dram_read_mb"] = "read from DRAM (10⁶ bytes)"
}

# Computed columns; every other one is the run's own. "" where a part is missing.
function compute(row, column,    time, sectors) {
    time = cell(row, "time_us_median")
    sectors = cell(row, "gld_transactions")
    if (column == "speedup")
        return time == "" || first_time == "" ? "" : first_time / time
    if (column == "loaded_mb")
        return sectors == "" ? "" : sectors * 32 / 1e6
    if (column == "loaded_gbs")
        return sectors == "" || time == "" ? "" : sectors * 32 / time / 1e3
    if (column == "printed_mb") # nvprof's GB are 2^30 bytes
        return cell(row, "gld_throughput") == "" ? "" \
            : cell(row, "gld_throughput") * 1073741824 * time * 1e-6 / 1e6
    if (column == "requests_per_element")
        return cell(row, "gld_requests") == "" ? "" \
            : cell(row, "gld_requests") / (cell(row, "n") / 32)
    if (column == "occupancy_pct")
        return cell(row, "achieved_occupancy") == "" ? "" : cell(row, "achieved_occupancy") * 100
    if (column == "dram_read_mb")
        return cell(row, "dram_read_bytes") == "" ? "" : cell(row, "dram_read_bytes") / 1e6
    return cell(row, column)
}

function cell(row, column) {
    return (column in position) ? rows[row, position[column]] : ""
}

# Whole numbers with thin groups, others with four significant digits.
function pretty(value,    text, out, at) {
    if (value == "" || value !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/)
        return value
    if (value == int(value) && value < 1e15)
        text = sprintf("%.0f", value)
    else if (value >= 1000)
        text = sprintf("%.0f", value)
    else if (value >= 100)
        text = sprintf("%.1f", value)
    else if (value >= 10)
        text = sprintf("%.2f", value)
    else
        text = sprintf("%.3f", value)
    if (text ~ /\./ || length(text) < 5)
        return text
    for (at = length(text); at > 3; at -= 3)
        out = " " substr(text, at - 2, 3) out
    return substr(text, 1, at) out
}

function read_run(folder,    file, line, i) {
    file = folder "/results.csv"
    delete position
    delete rows
    row_count = 0
    found_run = 0
    while ((getline line < file) > 0) {
        if (!csv_line(line))
            continue
        if (!found_run++) {
            for (i = 1; i <= CELLS; i++)
                position[CELL[i]] = i
            continue
        }
        row_count++
        for (i = 1; i <= CELLS; i++)
            rows[row_count, i] = CELL[i]
    }
    close(file)
}

function find_row(wanted,    parts, row, axis, fits, found, time) {
    split(wanted, parts, ":")
    for (row = 1; row <= row_count; row++) {
        fits = cell(row, "kernel") == parts[1] && cell(row, "status") == "ok" \
            && (parts[2] == "" || cell(row, "unroll") == parts[2])
        for (axis in axes)
            # A tunable or block axis that a kernel does not have does not tell its rows apart.
            fits = fits && (cell(row, axis) == axes[axis] || cell(row, axis) == "")
        if (!fits)
            continue
        time = cell(row, "time_us_median")
        if (!found || (time != "" && time + 0 < cell(found, "time_us_median") + 0))
            found = row
    }
    if (found)
        return found
    stop("the run " run " has no row " wanted " with these axes")
}

function table(    words, count, i, j, at, key, names, columns, wanted, kernels, row, line, label) {
    delete axes
    count = split($0, words, " ")
    for (i = 3; i < count; i++) {
        at = index(words[i], "=")
        key = substr(words[i], 1, at - 1)
        if (key == "run")
            run = substr(words[i], at + 1)
        else if (key == "rows")
            kernels = split(substr(words[i], at + 1), wanted, ",")
        else if (key == "columns")
            columns = split(substr(words[i], at + 1), names, ",")
        else
            axes[key] = substr(words[i], at + 1)
    }
    read_run(run)
    if (!found_run) {
        print "\n*Not measured yet: " run " is missing.*\n"
        return
    }
    line = "\n| kernel |"
    label = "| --- |"
    for (j = 1; j <= columns; j++) {
        if (!(names[j] in head))
            stop("the column " names[j] " has no heading in docs/tables.awk")
        line = line " " head[names[j]] " |"
        label = label " ---: |"
    }
    print line "\n" label
    for (i = 1; i <= kernels; i++) {
        row = find_row(wanted[i])
        if (i == 1)
            first_time = cell(row, "time_us_median")
        split(wanted[i], words, ":")
        line = "| `" words[1] "`" (words[2] == "" ? "" : " " words[2]) " |"
        for (j = 1; j <= columns; j++)
            line = line " " pretty(compute(row, names[j])) " |"
        print line
    }
    print ""
}

BEGIN { prepare() }
/^<!-- table / {
    if (inside)
        stop("a table begins inside of another one")
    print
    table()
    inside = 1
    next
}
/^<!-- end -->/ {
    if (!inside)
        stop("a table ends that did not begin")
    inside = 0
}
!inside { print }
END {
    if (!failed && inside) {
        print FILENAME ": the last table has no end" > "/dev/stderr"
        exit 1
    }
}
