# Reading results.csv, of one run or of several: rows into arrays, indexed by row 1..rows in the order of
# the files. Users define take_end() for what follows when all is read.
#
#   FILE[r]                      which of the runs, from 1 (files of them)
#   ID K TYPE OP N B U CACHE SCOPE GRID   axes of the row
#   V[r, name]                   tunables and further axes; TUNABLE[1..tunables], FURTHER_AXIS[1..]: names
#   T LO HI BW                   median time (µs), its 95 % interval, GB/s; "" where there is none
#   RACED[r]                     a search dropped the row after few samples: it is no winner (as in `redsweep best`)
#   M[r, name]                   metrics; METRIC[1..known_metrics]: their names in the CSV's order
#
# A tunable is a column between unroll and grid, a further axis one between scope and status: neither
# is listed here. Requests come as WANT_ and the axis's name in capitals in the environment.

FNR == 1 { sub(/^\357\273\277/, ""); begin_file() }
csv_line($0) { if (CSV_LINES) csv_join(); if (header) take_row(); else take_header() }
{ last_line = FNR }
END {
    if (stopped)
        exit 1
    end_file()
    take_end()
}

function stop(why) {
    print (ENVIRON["RUNS"] == "" ? "" : FILENAME ": ") why > "/dev/stderr" # of several runs: which
    stopped = 1
    exit 1
}

function begin_file() {
    if (files)
        end_file()
    files++
    header = odd_line = 0
    csv_open = 0
    csv_open_row = ""
    backend = device = ""
    for (name in SEEN)
        delete SEEN[name]
}

function end_file() {
    if (csv_open && last_line > csv_open_at)
        stop("line " csv_open_at ": a quote is never closed")
    if (!header)
        stop("the file has no header")
}

function take_header(    i) {
    header = 1
    columns = CELLS
    for (i in COLUMN)
        delete COLUMN[i]
    for (i = 1; i <= CELLS; i++) {
        COLUMN[CELL[i]] = i
        NAME[i] = CELL[i]
    }
    need("kernel type op n block unroll cache scope status time_us_median bandwidth_gbs peak_pct")
    for (i = COLUMN["unroll"] + 1; i < COLUMN["grid"]; i++)
        if (!(short_axis(NAME[i]) in IS_TUNABLE)) {
            IS_TUNABLE[short_axis(NAME[i])] = 1
            TUNABLE[++tunables] = short_axis(NAME[i])
        }
    for (i = COLUMN["scope"] + 1; i < COLUMN["status"]; i++)
        if (!(NAME[i] in IS_FURTHER)) {
            IS_FURTHER[NAME[i]] = 1
            FURTHER_AXIS[++further_axes] = NAME[i]
        }
    for (i = COLUMN["sampled_share"] + 1; i < COLUMN["result"]; i++)
        if (!(NAME[i] in IS_METRIC)) {
            IS_METRIC[NAME[i]] = 1
            METRIC[++known_metrics] = NAME[i]
        }
}

# Tunables of new runs begin with t_, those of older ones do not.
function short_axis(name) {
    sub(/^t_/, "", name)
    return name
}

# Columns may be missing in other people's files: then their cells are empty.
function need(list,    names, i, count, missing) {
    count = split(list, names, " ")
    for (i = 1; i <= count; i++)
        if (!(names[i] in COLUMN))
            missing = missing " " names[i]
    if (missing != "")
        stop("the file lacks the columns" missing)
}

function cell(name) {
    return name in COLUMN ? CELL[COLUMN[name]] : ""
}

function number(name) {
    return csv_number(cell(name), name)
}

# Only right results are shown. The last row may be torn: its writer was killed.
function take_row(    j) {
    if (odd_line)
        stop("line " odd_line ": this row has not the header's " columns " cells")
    if (CELLS != columns) {
        odd_line = FNR
        return
    }
    if (cell("id") != "" && cell("id") in SEEN)
        stop("line " FNR ": point " cell("id") " has two rows")
    SEEN[cell("id")]
    all_rows++
    if (!(cell("kernel") in IS_KERNEL)) {
        IS_KERNEL[cell("kernel")] = 1
        KERNEL[++kernels] = cell("kernel")
    }
    if (cell("status") != "ok" && cell("status") != "sampled")
        return
    rows++
    FILE[rows] = files
    ID[rows] = cell("id")
    K[rows] = cell("kernel"); N[rows] = number("n"); B[rows] = number("block"); U[rows] = number("unroll")
    TYPE[rows] = cell("type"); OP[rows] = cell("op")
    CACHE[rows] = cell("cache"); SCOPE[rows] = cell("scope")
    RACED[rows] = has_flag("raced", cell("stopped_by") == "raced")
    GRID[rows] = number("grid"); RECORDED[rows] = cell("measured_at")
    for (j = COLUMN["unroll"] + 1; j < COLUMN["grid"]; j++)
        V[rows, short_axis(NAME[j])] = csv_number(CELL[j], NAME[j])
    for (j = COLUMN["scope"] + 1; j < COLUMN["status"]; j++) {
        FURTHER[rows] = FURTHER[rows] ", " NAME[j] " " CELL[j]
        V[rows, NAME[j]] = csv_number(CELL[j], NAME[j])
        if (!wanted(CELL[j], "WANT_" toupper(NAME[j])))
            UNWANTED[rows] = 1
    }
    if (!wanted(cell("shape"), "WANT_SHAPE"))
        UNWANTED[rows] = 1
    note_axes(rows)
    take_times()
    for (j = COLUMN["sampled_share"] + 1; j < COLUMN["result"]; j++)
        M[rows, NAME[j]] = csv_number(CELL[j], NAME[j], 1)
}

# Whether the row has a flag (harness/record/flags.h); of a run of before that column the other cells tell.
function has_flag(word, older) {
    return "flags" in COLUMN ? index(" " cell("flags") " ", " " word " ") > 0 : older
}

function take_times(    rate) {
    T[rows] = number("time_us_median")
    LO[rows] = number("time_us_ci95_lo"); HI[rows] = number("time_us_ci95_hi")
    BW[rows] = number("bandwidth_gbs")
    # The clock hardly resolves its time: its counts stay.
    if (T[rows] != "" && has_flag("unresolved", index(cell("reason"), "below the clock's resolution"))) {
        unresolved++
        T[rows] = LO[rows] = HI[rows] = BW[rows] = ""
    }
    rate = BW[rows] + 0
    # The CPU has neither a datasheet's peak nor a measured one.
    if (rate > 0 && number("peak_pct") + 0 > 0)
        PEAK_OF[files] = peak = rate / cell("peak_pct") * 100
    if (rate > 0 && number("ceiling_pct") + 0 > 0)
        CEILING_OF[files] = ceiling = rate / cell("ceiling_pct") * 100
    # The CPU's rows are in the same file as those of the run's device.
    if (backend == "" || backend == "cpu" || cell("backend") != "cpu") {
        device = cell("device")
        backend = cell("backend")
    }
    BACKEND[rows] = cell("backend")
    if (T[rows] != "" && cell("backend") != "cpu" && cell("device_uuid") != "") {
        CARD[rows] = cell("device_uuid")
        if (!(CARD[rows] in CARDS_SEEN))
            cards++
        CARDS_SEEN[CARD[rows]]
    }
    # Whose times they are: beside a simulator's counts they are the CPU's.
    if (T[rows] != "" && (timed_backend == "" || timed_backend == "cpu")) {
        timed_device = cell("device")
        timed_backend = cell("backend")
    }
    DEVICE_OF[files] = named(device, backend)
}

function named(name, kind) {
    return name (kind != "" ? " (" kind ")" : "")
}

# A row's value on any axis.
function value(r, axis) {
    if (axis in IS_TUNABLE || axis in IS_FURTHER)
        return (r, axis) in V ? V[r, axis] : ""
    return axis == "block" ? B[r] : axis == "unroll" ? U[r] : axis == "n" ? N[r] : axis == "kernel" ? K[r] \
           : axis == "type" ? TYPE[r] : axis == "op" ? OP[r] : axis == "cache" ? CACHE[r] : axis == "scope" ? SCOPE[r] : ""
}

function is_axis(name) {
    return name ~ /^(kernel|type|op|n|block|unroll|cache|scope)$/ || name in IS_TUNABLE || name in IS_FURTHER
}

# Which kernels have a block, an unroll factor and each tunable: the others have one value in all rows.
function note_axes(r,    i) {
    if (B[r] + 0 > 1)
        HAS_AXIS[K[r], "block"] = 1
    if (U[r] + 0 > 1)
        HAS_AXIS[K[r], "unroll"] = 1
    for (i = 1; i <= tunables; i++)
        if (value(r, TUNABLE[i]) != "")
            HAS_AXIS[K[r], TUNABLE[i]] = 1
}

function wanted(what, name) {
    return ENVIRON[name] == "" || ENVIRON[name] == "all" || ENVIRON[name] == what
}

# A request for a block, unroll factor or tunable: of kernels that have it.
function wanted_shape(r,    i) {
    if ((K[r], "block") in HAS_AXIS && !wanted(B[r], "WANT_BLOCK"))
        return 0
    if ((K[r], "unroll") in HAS_AXIS && !wanted(U[r], "WANT_UNROLL"))
        return 0
    for (i = 1; i <= tunables; i++)
        if ((K[r], TUNABLE[i]) in HAS_AXIS && !wanted(V[r, TUNABLE[i]], "WANT_" toupper(TUNABLE[i])))
            return 0
    return 1
}

# Kernels that are no reductions (of the whole input or of its rows) are in charts of their own:
# WANT_WORKLOAD=others. WORKLOADS names a file "kernel<TAB>workload<TAB>role" (info.awk); without one all are taken
# for reductions.
function read_workloads(    line, parts) {
    while ((getline line < ENVIRON["WORKLOADS"]) > 0) {
        split(line, parts, "\t")
        WORKLOAD[parts[1]] = parts[2]
        ROLE[parts[1]] = parts[3]
    }
}

function group_of(kernel) {
    return !(kernel in ROLE) || ROLE[kernel] == "reduction" || is_peer(kernel) ? "reduce" : "others"
}

function is_peer(kernel) { return kernel in ROLE && ROLE[kernel] == "peer" }

function slice_of(r) {
    return TYPE[r] " " OP[r] (CACHE[r] == "" ? "" : ", " CACHE[r]) FURTHER[r]
}

# A simulator has no clock: the times in its run are the CPU's, which are no chart of its kernels.
function forget_times(    r) {
    for (r = 1; r <= rows; r++)
        T[r] = LO[r] = HI[r] = BW[r] = ""
    timed_backend = timed_device = ""
}

# The group of kernels that is shown: the reductions, unless the others are asked for or there are no
# reductions.
function choose_group(    r, any) {
    group = ENVIRON["WANT_WORKLOAD"]
    for (r = 1; r <= rows; r++)
        any[group_of(K[r])] = 1
    if (group == "" || group == "all")
        group = "reduce" in any || !("others" in any) ? "reduce" : "others"
}

function in_group(r) {
    return group_of(K[r]) == group || WORKLOAD[K[r]] == group
}

function choose_slice(    r, slice, weight, most, has) {
    choose_group()
    for (r = 1; r <= rows; r++) {
        slice = slice_of(r)
        if (r in UNWANTED || !in_group(r) || !wanted_shape(r) || !wanted(TYPE[r], "WANT_TYPE") ||
            !wanted(OP[r], "WANT_OP") || !wanted(CACHE[r], "WANT_CACHE") || !wanted(SCOPE[r], "WANT_SCOPE"))
            continue
        # A timed point weighs more than any number of points without a time.
        weight[slice] += T[r] != "" ? 1000000 : 1
        # Of several runs it is one that most of them have.
        if (files > 1 && !((slice, FILE[r]) in has)) {
            has[slice, FILE[r]] = 1
            weight[slice] += 1e12
        }
        if (weight[slice] > most) {
            most = weight[slice]
            SLICE = slice
            SLICE_FURTHER = FURTHER[r]
        }
    }
    for (r = 1; r <= rows; r++) {
        slice = slice_of(r)
        IN[r] = slice == SLICE && wanted(SCOPE[r], "WANT_SCOPE") && in_group(r) && wanted_shape(r)
        if (slice != SLICE && !(slice in OTHER)) {
            OTHER[slice] = 1
            if (++other_slices <= 6)
                others = others (others == "" ? "" : "; ") slice
        }
    }
    if (others != "")
        print others (other_slices > 6 ? " and " other_slices - 6 " more" : "") > "others.txt"
}

# A kernel that leaves one scalar has only the scope `complete`; it is shown beside kernels of the
# scope that most kernels have, and its label says so.
function choose_scopes(    r, seen, count) {
    for (r = 1; r <= rows; r++)
        if (IN[r] && !((K[r], SCOPE[r]) in seen)) {
            seen[K[r], SCOPE[r]] = 1
            count[SCOPE[r]]++
        }
    scope = count["complete"] > count["kernel"] ? "complete" : "kernel"
    for (r = 1; r <= rows; r++)
        if (IN[r] && SCOPE[r] != scope) {
            if ((K[r], scope) in seen)
                IN[r] = 0
            else {
                LABEL[K[r]] = K[r] " (" SCOPE[r] ")"
                OTHER_SCOPE[K[r]] = SCOPE[r]
            }
        }
}

function label_of(kernel) {
    return kernel in LABEL ? LABEL[kernel] : kernel
}

function metric(r, name) {
    return (r, name) in M ? M[r, name] : ""
}

# All settings of a row but n: "256 × 8, loads 4".
function setting_of(r,    i, text) {
    text = B[r] (U[r] + 0 > 1 ? " × " U[r] : "")
    for (i = 1; i <= tunables; i++)
        if (value(r, TUNABLE[i]) != "")
            text = text ", " TUNABLE[i] " " value(r, TUNABLE[i])
    return text
}

# For charts.txt: a line per chart, with ok or with why it is not drawn.
function left_out(chart, why) {
    print chart "\t" why >> "charts.txt"
}

function why_no_times() {
    if (!all_rows)
        return "the run has no rows"
    if (!rows)
        return "no row has the status ok"
    if (SLICE == "")
        return "no row has the requested type, operation, cache state and scope"
    if (unresolved)
        return "the run has no times above the clock's resolution"
    return "the run has no times" (backend == "sim" ? " (the simulator counts, it does not time)" : "")
}
