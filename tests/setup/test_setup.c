/*
 * The scripts that `make` calls: what they find, what they say, and that they leave nothing half
 * done. Nothing is installed and nothing is fetched: apt-get and pip are stand-ins here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64]; /* the test's own */
static char said[8192]; /* what the last command printed, both streams */

/* Runs a shell command with $D as the folder; returns its exit code. */
static int shell(const char *command)
{
    FILE *pipe;
    char whole[4096];
    snprintf(whole, sizeof whole,
             "exec 2>&1; unset SETUP TOOLKIT CUDA_HOME CC; export NVIDIA_DRIVER=580.65; D=%s; %s",
             folder, command);
    pipe = popen(whole, "r");
    assert_non_null(pipe);
    size_t length = fread(said, 1, sizeof said - 1, pipe);
    said[length] = '\0';
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void assert_said(const char *part)
{
    if (!strstr(said, part))
        fail_msg("'%s' is not in:\n%s", part, said);
}

/* A folder for programs ($D/bin) that holds nothing but what the scripts themselves need. */
static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/redsweep-setup-XXXXXX");
    assert_non_null(mkdtemp(folder));
    return shell("mkdir $D/bin && for p in sh env cat mkdir mv rm sed uname dirname readlink id; "
                 "do ln -s $(command -v $p) $D/bin/$p; done");
}

static int tear_down(void **state)
{
    (void)state;
    return shell("rm -rf $D");
}

static void nothing_missing_is_silent_and_asks_nobody(void **state)
{
    (void)state;
    /* Asking a package manager takes a second and more: none is started. */
    shell("mkdir -p $D/asked && for p in dpkg dpkg-query apt-get apt-cache sudo; do printf "
          "'#!/bin/sh\\ntouch $D/asked/was\\n' >$D/asked/$p && chmod +x $D/asked/$p; done");
    assert_int_equal(shell("PATH=$D/asked:$PATH setup/packages.sh build test"), 0);
    assert_string_equal(said, "");
    assert_int_equal(shell("test ! -e $D/asked/was"), 0);
}

static void what_is_missing_is_listed(void **state)
{
    (void)state;
    assert_int_equal(shell("SETUP=no PATH=$D/bin setup/packages.sh build plots pip venv"), 1);
    assert_said("SETUP=no");
    assert_said("apt-get install gcc binutils gnuplot-nox python3-pip python3-venv\n");
    assert_int_equal(shell("PATH=$D/bin setup/packages.sh plots"), 1);
    assert_said("no apt-get");
    assert_said("apt-get install gnuplot-nox\n");
    assert_int_equal(shell("setup/packages.sh everything"), 2);
    assert_said("no such purpose: everything");
}

/* The stand-in knows no package until the lists are fetched, as on a fresh machine. */
static void fedora_is_told_its_own_names(void **state)
{
    (void)state;
    shell("printf '#!/bin/sh\\n' >$D/bin/dnf && chmod +x $D/bin/dnf");
    assert_int_equal(shell("PATH=$D/bin setup/packages.sh build test plots check cluster"), 1);
    assert_said("there is no apt-get here");
    assert_said("dnf install gcc binutils ");
    assert_said(" sqlite "); /* modules of Python follow where they are not installed here */
    assert_said(" gnuplot clang-tools-extra cppcheck valgrind gcovr munge slurm-slurmctld "
                "slurm-slurmd slurm\n");
    if (strstr(said, "apt-get install"))
        fail_msg("Debian's names on Fedora:\n%s", said);
}

/* SETUP=user: no package is installed, but wheels are fetched into the folder. */
static void a_user_without_root_gets_the_wheels(void **state)
{
    (void)state;
    assert_int_equal(shell("SETUP=user PATH=$D/bin setup/packages.sh build"), 1);
    assert_said("SETUP=user: nothing is installed.");
    shell("TOOLKIT=fetch SETUP=user PATH=$D/bin CUDA_HOME= setup/toolkit.sh $D/user.mk $D/user");
    assert_said("Fetching NVIDIA's libraries of CUDA 13");
}

static void packages_are_installed_once_the_lists_are_there(void **state)
{
    (void)state;
    assert_int_equal(shell("printf '%s\\n' '#!/bin/sh' 'echo \"apt-get $*\" >>'$D/log "
                           "'case \"$*\" in *update*) touch '$D'/lists;; *) test -e '$D'/lists;; "
                           "esac' >$D/bin/apt-get; chmod +x $D/bin/apt-get; "
                           "ln -s $(command -v touch) $D/bin/touch; "
                           "printf '#!/bin/sh\\necho 0\\n' >$D/bin/id.root; "
                           "mv $D/bin/id.root $D/bin/id; chmod +x $D/bin/id"),
                     0);
    assert_int_equal(shell("PATH=$D/bin setup/packages.sh plots"), 0);
    assert_said("installing gnuplot-nox with apt-get (SETUP=no");
    assert_int_equal(shell("cat $D/log"), 0);
    assert_said("install -y --no-install-recommends gnuplot-nox\napt-get -qq");
    assert_said("update\napt-get -qq");
    /* Not root, and no sudo. */
    assert_int_equal(shell("printf '#!/bin/sh\\necho 1000\\n' >$D/bin/id; "
                           "PATH=$D/bin setup/packages.sh plots"),
                     1);
    assert_said("not root and there is no sudo");
    /* Not root, with sudo. */
    assert_int_equal(
        shell("printf '#!/bin/sh\\nexec \"$@\"\\n' >$D/bin/sudo; chmod +x $D/bin/sudo; "
              "PATH=$D/bin setup/packages.sh plots"),
        0);
    assert_said("with sudo apt-get");
}

/* Lays out something that passes for a toolkit of a version, in $D/<name>. */
static void make_toolkit(const char *name, int version)
{
    char command[1024];
    snprintf(
        command, sizeof command,
        "T=$D/%s; mkdir -p $T/include/crt $T/lib64 && for f in cuda_runtime.h nvrtc.h "
        "nvJitLink.h cooperative_groups.h crt/host_config.h; do echo x >$T/include/$f; done; "
        "echo '#define CUDA_VERSION %d' >$T/include/cuda.h; echo x >$T/lib64/libcudart_static.a",
        name, version);
    assert_int_equal(shell(command), 0);
}

static void a_toolkit_that_is_there_is_taken(void **state)
{
    (void)state;
    char wanted[128];
    make_toolkit("cuda", 13000);
    assert_int_equal(shell("CUDA_HOME=$D/cuda setup/toolkit.sh $D/build/toolkit.mk $D/none"), 0);
    assert_string_equal(said, "");
    snprintf(wanted, sizeof wanted, "CUDA := %s/cuda\nCUDA_MAJOR := 13\n", folder);
    assert_int_equal(shell("cat $D/build/toolkit.mk"), 0);
    assert_string_equal(said, wanted);
    /* A second time the file stays as it is, so that make builds nothing anew. */
    assert_int_equal(shell("touch -d '1 hour ago' $D/build/toolkit.mk; touch -d '30 minutes ago' "
                           "$D/between; CUDA_HOME=$D/cuda setup/toolkit.sh $D/build/toolkit.mk "
                           "$D/none && test $D/between -nt $D/build/toolkit.mk"),
                     0);
}

static void a_toolkit_that_will_not_do_is_passed_over(void **state)
{
    (void)state;
    /* A stand-in for pip would be asked next; SETUP=no shows what was decided. */
    static const char run[] = "TOOLKIT=fetch SETUP=no setup/toolkit.sh $D/toolkit.mk $D/fetched";
    assert_int_equal(shell(run), 1);
    assert_said("SETUP=no: none is fetched");
    assert_said("set CUDA_HOME");
    assert_int_equal(shell("test -e $D/toolkit.mk"), 1);
    if (access("/usr/local/cuda/include/cuda.h", R_OK) == 0)
        return; /* the rest needs a machine without a toolkit of its own */
    make_toolkit("old", 12030);
    assert_int_equal(shell("CUDA_HOME=$D/old PATH=$D/bin TOOLKIT=installed "
                           "setup/toolkit.sh $D/toolkit.mk $D/fetched"),
                     1);
    assert_said("older than CUDA 12.4");
}

/* Which of two toolkits is taken: the first that the driver runs and TOOLKIT allows. */
static void the_driver_and_the_user_decide_the_version(void **state)
{
    (void)state;
    static const struct {
        const char *settings, *home;
        int code;
        const char *said; /* of toolkit.mk when the code is 0 */
    } cases[] = {
        {"NVIDIA_DRIVER=550.54.15", "cuda12", 0, "CUDA_MAJOR := 12"},
        {"NVIDIA_DRIVER=580.65.06", "cuda12", 0, "CUDA_MAJOR := 12"}, /* CUDA_HOME goes first */
        {"NVIDIA_DRIVER=580.65.06", "cuda13", 0, "CUDA_MAJOR := 13"},
        {"NVIDIA_DRIVER=550.54.15 TOOLKIT=13", "cuda13", 0, "CUDA_MAJOR := 13"},
        {"TOOLKIT=12", "cuda12", 0, "CUDA_MAJOR := 12"},
        {"TOOLKIT=12.4", "cuda12", 0, "CUDA_MAJOR := 12"},
        {"NVIDIA_DRIVER=550.54.15 TOOLKIT=installed", "cuda13", 1, "no CUDA Toolkit is found"},
        {"NVIDIA_DRIVER=550.54.15 SETUP=no", "none", 1, "SETUP=no: none is fetched"},
        {"TOOLKIT=12.4 SETUP=no", "cuda13", 1, "SETUP=no: none is fetched"},
        {"TOOLKIT=12.5 SETUP=no", "cuda13", 1, "only 12.4, 12.6, 12.8, 12.9 and 13.0"},
        {"TOOLKIT=11", "cuda12", 2, "expected auto, installed, fetch, 12, 13"},
        {"TOOLKIT=twelve", "cuda12", 2, "expected auto, installed, fetch, 12, 13"},
    };
    make_toolkit("cuda12", 12040);
    make_toolkit("cuda13", 13000);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char command[512];
        snprintf(command, sizeof command,
                 "rm -f $D/mk; %s CUDA_HOME=$D/%s PATH=$D/bin setup/toolkit.sh $D/mk $D/none%s",
                 cases[i].settings, cases[i].home, cases[i].code ? "" : " && cat $D/mk");
        int code = shell(command);
        if (code != cases[i].code || !strstr(said, cases[i].said))
            fail_msg("%s, CUDA_HOME=%s: exit code %d, \"%s\"", cases[i].settings, cases[i].home,
                     code, said);
        if (code == 0 && !strstr(said, cases[i].home))
            fail_msg("%s: not %s but %s", cases[i].settings, cases[i].home, said);
    }
}

/* A toolkit of 12 may have the runtime as a shared library only, as NVIDIA's wheels do. */
static void a_shared_runtime_is_enough(void **state)
{
    (void)state;
    make_toolkit("cuda", 12080);
    static const char run[] = "TOOLKIT=12.8 SETUP=no CUDA_HOME=$D/cuda PATH=$D/bin "
                              "setup/toolkit.sh $D/mk $D/none";
    assert_int_equal(shell("rm $D/cuda/lib64/libcudart_static.a"), 0);
    assert_int_equal(shell(run), 1);
    assert_said("lacks lib64/libcudart_static.a");
    assert_int_equal(shell("echo x >$D/cuda/lib64/libcudart.so.12"), 0);
    assert_int_equal(shell(run), 0);
}

/* python3 -m pip install … --target FOLDER …: makes the wheels' layout, or fails half-way. */
static const char stand_in[] =
    "cat >$D/bin/python3 <<'END'\n"
    "#!/bin/sh\n"
    "[ \"$3\" = --version ] && exit 0\n"
    "echo \"$*\" >>$D/pip.log\n"
    "while [ \"$1\" != --target ]; do shift; done\n"
    "w=$2/nvidia/cu13; mkdir -p $w/include/crt $w/include/cccl/cuda/std $w/lib\n"
    "for f in cuda.h cuda_runtime.h nvrtc.h nvJitLink.h cooperative_groups.h crt/host_config.h "
    "cupti.h cccl/cuda/std/type_traits; do echo x >$w/include/$f; done\n"
    "[ -n \"${HALF:-}\" ] && exit 1\n"
    "for f in libcudart_static.a libcudadevrt.a libnvrtc.so.13 libnvrtc-builtins.so.13.0 "
    "libcupti.so.13 libnvperf_host.so libnvrtc.alt.so.13 $LAST; do echo x >$w/lib/$f; done\n"
    "END\n"
    "chmod +x $D/bin/python3";

static void a_missing_toolkit_is_fetched_whole_or_not_at_all(void **state)
{
    (void)state;
    static const char fetch[] = "TOOLKIT=fetch PATH=$D/bin setup/toolkit.sh $D/mk $D/kit";
    char command[256];
    assert_int_equal(shell(stand_in), 0);

    snprintf(command, sizeof command, "export D; HALF=1 %s", fetch);
    assert_int_equal(shell(command), 1);
    assert_said("pip cannot fetch");
    assert_int_equal(shell("ls -d $D/kit* $D/mk"), 2); /* nothing is left behind */

    snprintf(command, sizeof command, "export D; LAST= %s", fetch);
    assert_int_equal(shell(command), 1);
    assert_said("came without lib64/libnvJitLink.so.13");
    assert_int_equal(shell("ls -d $D/kit* $D/mk"), 2);

    snprintf(command, sizeof command, "export D; LAST=libnvJitLink.so.13 %s", fetch);
    assert_int_equal(shell(command), 0);
    assert_said("Fetching NVIDIA's libraries");
    assert_int_equal(shell("cat $D/mk; ls $D/kit/lib64; cat $D/kit/versions"), 0);
    assert_said("CUDA := /tmp/redsweep-setup-");
    assert_said("libnvJitLink.so.13");
    assert_said("nvidia-cuda-nvrtc==13.0.88");
    assert_null(strstr(said, "alt"));

    assert_int_equal(shell("rm $D/pip.log"), 0);
    assert_int_equal(shell(command), 0); /* again: it is there */
    assert_string_equal(said, "");
    assert_int_equal(shell("test -e $D/pip.log"), 1);
    assert_int_equal(shell("rm $D/kit/lib64/libcupti.so.13"), 0); /* damaged: fetched anew */
    assert_int_equal(shell(command), 0);
    assert_int_equal(shell("test -s $D/kit/lib64/libcupti.so.13"), 0);
}

/* The wheels of 12 have a folder each; they become one tree. */
static const char stand_in_12[] =
    "cat >$D/bin/python3 <<'END'\n"
    "#!/bin/sh\n"
    "[ \"$3\" = --version ] && exit 0\n"
    "echo \"$*\" >>$D/pip.log\n"
    "while [ \"$1\" != --target ]; do shift; done\n"
    "put() { mkdir -p $w/$1/include $w/$1/lib; touch $w/$1/include/__init__.py; p=$1; shift; "
    "for f in \"$@\"; do mkdir -p $w/$p/${f%/*}; echo x >$w/$p/$f; done; }\n"
    "w=$2/nvidia\n"
    "put cuda_runtime include/cuda_runtime.h include/cuda.h include/cooperative_groups.h "
    "lib/libcudart_static.a lib/libcudadevrt.a\n"
    "put cuda_nvrtc include/nvrtc.h lib/libnvrtc.so.12 lib/libnvrtc.alt.so.12 "
    "lib/libnvrtc-builtins.so.12.9\n"
    "put nvjitlink include/nvJitLink.h lib/libnvJitLink.so.12\n"
    "put cuda_nvcc include/crt/host_config.h bin/ptxas\n"
    "put cuda_cupti include/cupti.h lib/libcupti.so.12 lib/libnvperf_host.so\n"
    "put cuda_cccl include/cuda/std/type_traits\n"
    "END\n"
    "chmod +x $D/bin/python3; ln -s $(command -v touch) $D/bin/touch";

static void an_older_driver_gets_the_wheels_of_12(void **state)
{
    (void)state;
    assert_int_equal(shell(stand_in_12), 0);
    assert_int_equal(shell("export D; NVIDIA_DRIVER=550.54.15 TOOLKIT=fetch PATH=$D/bin "
                           "setup/toolkit.sh $D/mk $D/kit"),
                     0);
    assert_said("libraries of CUDA 12.9");
    assert_int_equal(shell("cat $D/mk $D/kit/versions; cd $D/kit && ls include lib64"), 0);
    assert_said("CUDA_MAJOR := 12");
    assert_said("nvidia-cuda-nvrtc-cu12==12.9.86");
    assert_said("nvidia-cuda-nvcc-cu12==12.9.86"); /* which has crt/ before CUDA 13 */
    assert_null(strstr(said, "alt"));
    assert_null(strstr(said, "__init__"));
    assert_int_equal(shell("cd $D/kit && ls include/crt/host_config.h lib64/libnvJitLink.so.12 "
                           "include/cccl/cuda/std/type_traits && test ! -e bin"),
                     0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nothing_missing_is_silent_and_asks_nobody),
        TEST(what_is_missing_is_listed),
        TEST(fedora_is_told_its_own_names),
        TEST(a_user_without_root_gets_the_wheels),
        TEST(packages_are_installed_once_the_lists_are_there),
        TEST(a_toolkit_that_is_there_is_taken),
        TEST(a_toolkit_that_will_not_do_is_passed_over),
        TEST(the_driver_and_the_user_decide_the_version),
        TEST(a_shared_runtime_is_enough),
        TEST(a_missing_toolkit_is_fetched_whole_or_not_at_all),
        TEST(an_older_driver_gets_the_wheels_of_12),
    };
    return cmocka_run_group_tests_name("setup", tests, NULL, NULL);
}
