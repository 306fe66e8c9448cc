"""The rooms of harness/, and the tests of each room."""

import os
import re
import subprocess
import sys

# The rooms and their tests. A test is a folder of tests/, or the beginning of the name of a test in
# another folder. Longer names must come first.
ROOMS = {
    "analyze": ["analyze/", "cli/test_commands", "cli/test_gate", "cli/test_l", "cli/test_output", "cli/test_width", "plots/",
                "run/test_shards", "texts/"],
    "base": ["base/", "texts/", "cli/test_commands", "spec/test_config", "devices/test_nvml"],
    "charts": ["plots/", "texts/test_drawn", "texts/test_outputs"],
    "cli": ["cli/", "texts/", "devices/test_cuda_command", "devices/test_cuda_doctor", "run/test_as_written",
            "tuned/test_wheel"],
    "cluster": ["cluster/", "cli/test_commands"],
    "compile": ["compile/", "devices/test_cpu", "measure/test_ceilings", "run/test_compile_limit", "run/test_resume"],
    "devices": ["devices/test_open", "texts/", "cli/test_commands"],
    "devices/cpu": ["devices/test_cpu", "run/test_no_counters"],
    "devices/cuda": ["devices/test_", "metrics/test_chips", "cli/test_list_metrics"],
    "devices/replay": ["devices/test_replay", "texts/test_texts", "run/test_search"],
    "devices/sim": ["devices/sim/", "texts/test_simulator", "run/test_planted", "run/test_load", "run/test_limits",
                    "faults/test_allocations"],
    "devices/sim/counts": ["devices/sim/", "texts/test_simulator"],
    "devices/sim/machine": ["devices/sim/", "texts/test_simulator", "run/test_hostile", "run/test_load"],
    "devices/sim/program": ["devices/sim/", "texts/test_simulator"],
    "devices/sim/ptx": ["devices/sim/", "texts/test_simulator"],
    "devices/sim/races": ["devices/sim/", "texts/test_simulator", "cli/test_racecheck"],
    "measure": ["measure/", "run/", "devices/test_cuda_", "devices/sim/test_races", "cli/test_racecheck",
                "texts/test_texts"],
    "metrics": ["metrics/", "texts/", "cli/"],
    "plan": ["plan/", "run/test_print", "run/test_offset", "run/test_shapes", "kernels/", "texts/", "cli/test_commands"],
    "record": ["record/", "run/test_resume", "run/test_order", "run/test_kill"],
    "run": ["run/", "cli/test_log", "cli/test_require_metrics", "cli/test_commands", "faults/test_no_", "texts/test_texts",
            "devices/test_cuda_command"],
    "search": ["search/", "run/test_search", "run/test_points"],
    "spec": ["spec/", "texts/", "run/test_bad_input", "cli/test_commands", "cli/test_gate"],
    "table": ["table/", "texts/", "record/", "analyze/"],
    "tuned": ["tuned/", "cli/test_commands", "texts/"],
    "workloads": ["workloads/", "run/test_planted", "run/test_rows"],
}
# Only a few of the room's tests execute these files, which are given by the beginning of their
# names. Other tests are not tried on them, because that would take minutes per survivor. Longer
# names must come first.
NEAR = {
    "cli/best": ["cli/test_commands", "texts/"],
    "cli/doctor": ["devices/test_cuda_doctor", "cli/test_commands", "texts/test_texts"],
    "cli/gate": ["cli/test_gate", "texts/test_texts"],
    "cli/import": ["cli/test_import", "texts/test_texts"],
    "cli/list": ["cli/test_list_metrics", "cli/test_commands", "texts/", "devices/test_cuda_command"],
    "cli/new": ["cli/test_new", "texts/test_texts"],
    "cli/plots": ["cli/test_commands", "texts/"],
    "cli/racecheck": ["cli/test_racecheck", "texts/test_texts"],
    "cli/report": ["cli/test_commands", "cli/test_output", "texts/"],
    "cli/resume": ["cli/test_commands", "cli/test_output", "texts/"],
    "cli/tuned": ["cli/test_commands", "tuned/test_wheel", "texts/test_texts"],
    "measure/ceilings": ["measure/test_ceilings", "run/test_planted"],
    "measure/energy": ["measure/test_energy", "devices/test_cuda_command"],
    "measure/energy_group": ["measure/test_energy", "devices/test_cuda_command", "devices/test_cuda_sweep"],
    "measure/race_check": ["texts/test_texts", "cli/test_racecheck"],
    "measure/racing": ["measure/test_racing", "run/test_search"],
    "measure/sampled_check": ["measure/test_sampled", "run/test_inputs", "run/test_rows"],
    "measure/self_check": ["measure/test_ceilings", "run/test_no_counters"],
    "run/dry_run": ["texts/test_texts", "cli/test_commands"],
    "run/energy_plan": ["run/test_guesses", "devices/test_cuda_command"],
    "run/job_open": ["run/test_", "cli/test_require_metrics", "texts/test_texts"],
    "run/points": ["run/test_points", "run/test_shapes"],
    "run/provenance": ["texts/test_texts", "run/test_resume", "run/test_sweep"],
    "run/request_time": ["run/test_request_time", "run/test_time_left"],
    "run/run_command": ["texts/test_texts", "cli/test_commands", "run/test_points"],
    "run/source_asked": ["run/test_points", "run/test_signals"],
    "run/source_transfer": ["run/test_search", "run/test_signals", "texts/test_texts"],
    "run/time_left": ["run/test_guesses", "run/test_time_left", "run/test_request_time"],
}

# These tests are not tried, because they test recorded measurements or the scripts in experiments/
# rather than objects of harness/.
LEFT_OUT = ["analyze/test_no_cuda", "spec/test_manual", "analyze/test_recorded", "analyze/test_power",
            "analyze/test_aa", "compile/test_architectures"]
# These tests are long, so they are tried only on the named files.
ONLY_FOR = {"analyze/test_merge": "merge", "analyze/test_gate": "diff", "run/test_memory": "sweep",
            "run/test_kill": "(sweep|supervisor|folder|writer|lock)"}

SCRATCH = "build/mutants"  # folder for everything that a call writes


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def room_of(file):
    return os.path.dirname(file)[len("harness/") :]


def tree():
    files = run(["git", "ls-files", "-co", "--exclude-standard", "harness", "tests"]).stdout.split("\n")
    sources = [f for f in files if f.startswith("harness/") and f.endswith(".c")]
    strange = sorted({room_of(f) for f in sources} - set(ROOMS))
    if strange:
        sys.exit(f"mutants: no tests are named for {', '.join(strange)} of harness/: see ROOMS")
    tests = [f for f in files if re.fullmatch(r"tests/(?:[^/]+/)+test_[^/]+\.(c|sh)", f)]
    return sources, tests
