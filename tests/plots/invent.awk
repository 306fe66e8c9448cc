# Writes a results.csv with invented numbers, for tests of the charts. No device has measured them.
# awk -v kernels=5 [-v times=no] [-v single=yes] -f invent.awk
BEGIN {
    all = "neighbored neighbored_less interleaved unroll smem_unroll warp_shuffle vector_loads grid_stride complete_unroll_warps complete_unroll_warps_sync smem smem_dynamic smem_neighbored smem_interleaved one_launch_ticket cooperative_grid_barrier cluster_distributed_shared bulk_copy_ring compensated cub_device_reduce"
    split(all, name, " ")
    print "id,backend,device,kernel,type,op,n,block,unroll,grid,dynamic_smem_bytes,static_smem_bytes,registers,cache,scope,status,reason,samples,stopped_by,time_us_min,time_us_median,time_us_mean,time_us_stdev,time_us_ci95_lo,time_us_ci95_hi,outliers,bandwidth_gbs,peak_pct,sampled_share,gld_transactions,inst_per_warp,warp_execution_efficiency,result,rel_error"
    for (k = 1; k <= kernels; k++)
        for (e = single == "yes" ? 20 : 14; e <= (single == "yes" ? 20 : 28); e += 2)
            for (block = 64; block <= 1024; block *= 2)
                for (unroll = 1; unroll <= (name[k] ~ /unroll/ ? 16 : 1); unroll *= 2)
                    row(k, 2 ^ e, block, unroll)
}
function row(k, n, block, unroll,    speed, t, gbs, wrong) {
    id++
    speed = 400 + 3900 * k / kernels * (0.6 + 0.4 * unroll / (unroll + 2)) * (1 - 300 / (block + 1200))
    t = 2.1 + 0.3 * k / kernels + 4 * n / speed / 1e3
    gbs = 4 * n / t / 1e3
    wrong = k == 2 && block == 512
    printf "%016x,%s,\"INVENTED, for tests\",%s,int32,sum,%.0f,%d,%d,%d,%d,0,16,cold,kernel,%s,%s,", id, times == "no" ? "sim" : "cuda", name[k], n, block, unroll, n / block / unroll, 4 * block, wrong ? "wrong" : "ok", wrong ? "\"result 1, not 2; a \"\"planted\"\"\nfault, with a line end\"" : ""
    if (times == "no")
        printf ",,,,,,,,,,,,"
    else
        printf "30,width,%.6g,%.6g,%.6g,%.4g,%.6g,%.6g,0,%.6g,%.6g,,", t * 0.98, wrong ? t / 50 : t, t * 1.01, t * 0.02, t * 0.985, t * 1.02, gbs, gbs / 48
    printf "%d,%.2f,%s,123,0\n", n / 8 * (1 + (k % 4)) / unroll, 974.22 - 40 * k, k == 3 ? "" : 70 + 28 * k / kernels
}
