# Prints the results.csv of an invented run, and writes its samples.csv to the file named by the
# variable `samples`. The variable `which` selects the run: a, b (at some points, times, counts and
# statuses differ from those of a) or c (kernels that reduce rows of arrays). None of the numbers
# was measured.
function row(kernel, type, op, n, length_, block, unroll, loads, cache, scope, us, gld, status, reason,    k, id, gbs, ok, text) {
    id = sprintf("%016x", ++points)
    ok = status == "ok"
    gbs = 4 * n / us / 1e3
    text = ok ? sprintf("5,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.4g,%.4g", us * 0.97, us, us * 0.98, us * 1.02, us * 1.1, gbs, gbs / 48, gbs / 40) : ",,,,,,,,"
    print id ",cuda,NVIDIA H200," kernel "," type "," op "," n "," (which == "c" ? length_ "," : "") block "," unroll "," loads "," n / block / unroll "," 16 + block / 32 "," (kernel ~ /smem/ ? 4 * block : 0) "," cache "," scope "," status "," reason "," text ",," (ok ? gld "," gld / 7 "," 25 * (1 + (kernel != "neighbored")) : ",,") "," (ok ? n / 2 ",0" : ",") ",1,2026-01-31T10:" sprintf("%02d:%02dZ", points / 60, points % 60)
    for (k = 0; ok && k < 5; k++)
        printf "%s,%d,%.6g\n", id, k, us * substr("0.97 1.00 0.98 1.02 1.10", 1 + 5 * k, 4) >samples
}
BEGIN {
    print "id,backend,device,kernel,type,op,n," (which == "c" ? "row_length," : "") "block,unroll,t_loads,grid,registers,static_smem_bytes,cache,scope,status,reason,samples,time_us_min,time_us_median,time_us_ci95_lo,time_us_ci95_hi,time_us_max,bandwidth_gbs,peak_pct,ceiling_pct,sampled_share,gld_transactions,inst_per_warp,gld_efficiency,result,rel_error,session,measured_at"
    print "id,sample,time_us" >samples
    b = which == "b"
    if (which == "c") {
        for (length_ = 64; length_ <= 4096; length_ *= 8)
            for (n = 65536; n <= 1048576; n *= 4) {
                row("rows_warp", "float32", "sum", n, length_, 128, 1, 1, "cold", "complete", 3 + n / 2e5 + length_ / 900, n / 8, "ok", "")
                row("rows_block", "float32", "sum", n, length_, 256, 1, 2, "cold", "complete", 4 + n / 4e5 + 40 / length_, n / 8, "ok", "")
            }
        exit
    }
    for (n = 4096; n <= 1048576; n *= 16)
        for (block = 64; block <= 256; block *= 2) {
            f = 1 + 16 / block
            row("neighbored", "int32", "sum", n, "", block, 1, "", "cold", "kernel", f * (4 + n / 5e4), n, "ok", "")
            row("interleaved", "int32", "sum", n, "", block, 1, "", "cold", "kernel", f * (4 + n / 1e5) * (b && n > 1e5 ? 1.3 : 1), n / 2, "ok", "")
            row("interleaved", "int32", "sum", n, "", block, 1, "", "warm", "kernel", f * (3 + n / 2e5), n / 2, "ok", "")
            row("smem", "int32", "sum", n, "", block, 1, "", "cold", "kernel", f * (3.5 + n / 12e4) * (b ? 0.8 : 1), n / 4 * (b ? 2 : 1), b && block == 64 ? "wrong" : "ok", b && block == 64 ? "off by 3" : "")
            for (unroll = 2; unroll <= 8; unroll *= 2)
                row("unroll", "int32", "sum", n, "", block, unroll, "", "cold", "kernel", f * (4 + n / 1e5 / unroll), n / 8, block == 256 && unroll == 8 ? "skipped" : "ok", block == 256 && unroll == 8 ? "8 x 256 elements are too many" : "")
            row("vector", "float32", "max", n, "", block, 1, 4, "cold", "kernel", f * (3 + n / 3e5), n / 8, "ok", "")
            row("ticket", "int32", "sum", n, "", block, 1, 2, "cold", "complete", f * (5 + n / 4e5), n / 8, b && n == 4096 ? "timeout" : "ok", b && n == 4096 ? "did not end" : "")
            row("ticket", "int32", "sum", n, "", block, 1, 4, "cold", "complete", f * (5.2 + n / 5e5), n / 8, "ok", "")
            if (block == 128)
                row("cub", "int32", "sum", n, "", block, 1, "", "cold", "complete", 5 + n / 35e4, n / 8, "ok", "")
        }
}
