#!/bin/sh
# Kernels that never end or that use up resources lose only their own points, and little time. No
# process uses more than a minute of CPU time, and all other points are measured. A busy machine
# gives the same statuses.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=${BUILD:-$root/build}/redsweep
work=$(mktemp -d) || exit 1
trap 'kill ${busy:-} 2>/dev/null; rm -rf "$work"' EXIT
export REDSWEEP_HOME="$root"
cd "$work" && mkdir k || exit 1
export REDSWEEP_CACHE="$work/cache"
failed=0
fail() { echo "test_hostile: FAILED: $*"; failed=1; }

# One paragraph per kernel. Its first line is NAME STATUS, followed by words from the reason ("-":
# none). The kernel's body comes next. A line in between that begins with "before" contains code
# that is placed before the kernel.
cat >hostile.txt <<'K'
h_plain timeout 200000 per warp
while (go) { x++; asm volatile("" : "+r"(x)); }

h_arithmetic timeout 200000 per warp
float f = x; while (go) { f = __sinf(f); asm volatile("" : "+f"(f)); } x = f;

h_local timeout 200000 per warp
volatile int a[64]; a[0] = go; while (a[0]) a[x & 63] = a[0];

h_poll timeout 200000 per warp
while (*(volatile element *)input != 12345) { }

h_lock timeout 200000 per warp
while (atomicCAS((int *)output, 7, 7) != 12345) { }

h_atomics timeout 200000 per warp
while (go) atomicAdd((int *)output, 1);

h_shared_atomics timeout 200000 per warp
__shared__ int s; s = 0; while (go) atomicAdd(&s, 1);

h_barriers timeout 200000 per warp
while (go) __syncthreads();

h_warp_barriers timeout 200000 per warp
while (go) __syncwarp();

h_match timeout 200000 per warp
while (go) x += __match_any_sync(~0u, x);

h_sleep timeout 200000 per warp
while (go) __nanosleep(1000000);

h_diverge timeout 200000 per warp
while (go) for (int i = 0; i < x; i++) ((volatile element *)output)[0] = i;

h_prints timeout 200000 per warp
while (go) printf("a\n");

h_prints_wide timeout 200000 per warp
while (go) printf("%*.*f|%2000000000d\n", 2000000000, 2000000000, 1.0 / 3, 1);

h_prints_text timeout 200000 per warp
while (go) printf("%s%s%s%s%s\n", (char *)input, (char *)input, (char *)input, (char *)output, (char *)output);

h_launches timeout 200000 per warp
before extern "C" __global__ void h_child() { }
if (x == 0) while (go) h_child<<<1, 32, 0, cudaStreamFireAndForget>>>();

h_large_launches timeout 200000 per warp
before extern "C" __global__ void h_child() { }
if (x == 0) while (go) h_child<<<1000, 1024, 0, cudaStreamFireAndForget>>>();

h_launches_itself launch_error levels deep
before extern "C" __global__ void h_again() { h_again<<<1, 1, 0, cudaStreamFireAndForget>>>(); }
if (x == 0) h_again<<<1, 1, 0, cudaStreamFireAndForget>>>();

h_endless_child timeout 200000 per warp
before extern "C" __global__ void h_child(volatile element *p) { while (*p != 12345) { } }
if (x == 0) h_child<<<1, 32, 0, cudaStreamFireAndForget>>>(input);

h_waits_for_a_block timeout 200000 per warp
if (blockIdx.x == 0) while (((volatile element *)output)[1] != 12345) { }

h_left_barrier launch_error never reach
if (x < 32) __syncthreads(); asm volatile("bar.sync 1;");

h_exit_before_barrier wrong -
if (x < 40) return; __syncthreads();

h_mbarrier timeout 200000 per warp
__shared__ unsigned long long b; unsigned a = (unsigned)__cvta_generic_to_shared(&b), done = 0; if (x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" :: "r"(a)); __syncthreads(); while (!done) asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(a));

h_recursion unsupported calls itself
before __device__ __noinline__ int h_down(int i) { volatile int a[64]; a[i & 63] = i; return i ? h_down(i + 1) + a[3] : 1; }
x = h_down(go);

h_malloc unsupported malloc
while (go) *(volatile int *)malloc(1 << 20) = 1;

h_shared_memory compile_error too much shared data
__shared__ int s[1 << 20]; s[x] = go; __syncthreads(); x = s[x ^ 1];

h_local_memory wrong -
volatile int a[100000]; a[x] = go; x = a[x ^ 1];

h_outside launch_error allocation
output[1ull << 40] = 1;

h_null launch_error null pointer
*(volatile int *)(size_t)(go & 4) = 1;

h_trap launch_error trap
__trap();

h_assert launch_error assertion
assert(go == 12345);

h_code compile_error Comparison qualifier
unsigned d; asm volatile("mad.lo.lo.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(3u), "r"(4u), "r"(5u)); x = d;

h_overwrites wrong -
input[x] = 12345; output[blockIdx.x] = input[x];
K
awk 'BEGIN { RS = ""; FS = "\n" } {
    split($1, head, " "); file = "k/" head[1] ".cu"; print head[1] > "names"; print $1 > "expected"
    before = $2 ~ /^before / ? substr($2, 8) : ""; body = before == "" ? $2 : $3
    print "// kernel:   " head[1] "\n// idea:     takes what it can\n// source:   a test\n// result:   partial\n" \
          "// input:    untouched\n// covers:   BLOCK\n// blocks:   multiple of 32" > file
    if (body ~ /<<</) print "// link:     device runtime" > file
    print "// uniform:  no\n#include \"common.cuh\"\n" before "\nextern \"C\" __global__ void " head[1] \
          "(element *input, element *output, index_t n)\n{\n    int x = threadIdx.x, go = n != 0;\n    " body \
          "\n    output[blockIdx.x] = x;\n}" > file
}' hostile.txt
names=$(awk '{ printf ", \"%s\"", $1 }' names)
# Two harmless kernels, one planned before the hostile ones and one after them.
echo "{\"kernels\": [\"interleaved\"$names, \"neighbored\"], \"sizes\": 512, \"blocks\": 64, \"kernel_folders\": [\"k\"],
    \"timing\": {\"max_samples\": 0, \"instruction_limit\": 200000}}" >c.json

sweep() { # NAME
    began=$(date +%s)
    (ulimit -t 60 && exec "$redsweep" run c.json --device sim --out "$1") >"$1.txt" 2>&1
    code=$?
    [ $code -eq 1 ] || { fail "$1: exit code $code"; tail -3 "$1.txt"; }
    "$redsweep" show "$1" --sort kernel --csv - --columns 'kernel,status,reason,gld_transactions,result' >"$1.rows"
    cut -d, -f1,2 "$1.rows" >"$1.statuses"
    echo "test_hostile: $1: $(($(date +%s) - began)) s"
}
sweep idle
for k in $(seq "$(nproc)"); do
    sh -c 'while :; do :; done' & busy="${busy:-} $!"
done
sweep busy
kill $busy; busy=

while read -r name status words; do
    row=$(grep "^$name," idle.rows | cut -c1-600)
    case $row in
    "$name,$status,"*) ;;
    *) fail "$name: expected $status: $row" ;;
    esac
    [ "$words" = - ] || case $row in
    *"$words"*) ;;
    *) fail "$name: no '$words' in: $row" ;;
    esac
done <expected
cmp -s idle.statuses busy.statuses || { fail "other statuses while the machine is busy"; diff idle.statuses busy.statuses; }
for name in interleaved neighbored; do
    grep -q "^$name,ok," idle.rows || fail "$name: $(grep "^$name" idle.rows)"
    [ "$(grep "^$name," idle.rows)" = "$(grep "^$name," busy.rows)" ] || fail "$name differs"
done
[ "$failed" -eq 0 ] && echo "test_hostile: passed"
exit "$failed"
