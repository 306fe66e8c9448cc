/* The table of a session's members. */
#include "record/conditions.h"

#include <math.h>
#include <stddef.h>

static const struct member ceilings_members[] = {
    NUMBER_AS("empty_us", struct ceilings, empty_us),
    NUMBER_AS("read_gbs", struct ceilings, read_gbs),
    NUMBER_AS("copy_gbs", struct ceilings, copy_gbs),
    NUMBER_AS("write_gbs", struct ceilings, write_gbs),
    COUNT_AS("bytes", struct ceilings, bytes),
    TEXT_AS("missing", struct ceilings, missing),
    {0},
};

static const struct member launch_members[] = {
    COUNT_AS("contexts", struct launch_seen, contexts),
    NUMBER_AS("step_us", struct launch_seen, step_us),
    NUMBER_WAS("min_us", struct launch_seen, min_us, "least_us"),
    NUMBER_WAS("max_us", struct launch_seen, max_us, "most_us"),
    NUMBER_AS("refused_us", struct launch_seen, refused_us),
    {0},
};

static const struct member position_members[] = {
    COUNT_AS("period", struct position_seen, period),
    COUNT_AS("samples", struct position_seen, samples),
    NUMBER_AS("p_shorter", struct position_seen, p_shorter),
    NUMBER_AS("p_longer", struct position_seen, p_longer),
    NUMBER_AS("margin_us", struct position_seen, margin_us),
    NUMBER_AS("unseen_us", struct position_seen, unseen_us),
    COUNT_AS("profiles", struct position_seen, profiles),
    COUNT_AS("located", struct position_seen, located),
    COUNT_AS("batches", struct position_seen, batches),
    COUNT_AS("repeated", struct position_seen, repeated),
    COUNT_AS("unverified", struct position_seen, unverified),
    COUNT_AS("sentinels", struct position_seen, sentinels),
    {0},
};

static const struct member check_members[] = {
    TEXT_AS("name", struct self_check, name),
    TEXT_AS("meaning", struct self_check, meaning),
    NUMBER_AS("expected", struct self_check, expected),
    NUMBER_AS("found", struct self_check, found),
    NUMBER_AS("tolerance", struct self_check, tolerance),
    BOOL_AS("ok", struct self_check, ok),
    {0},
};

static const struct member search_members[] = {
    TEXT_AS("problem", struct search_finding, problem),
    TEXT_AS("first", struct search_finding, first),
    COUNT_AS("n", struct search_finding, n),
    COUNT_AS("points", struct search_finding, points),
    COUNT_AS("measured", struct search_finding, measured),
    COUNT_AS("probes", struct search_finding, probes),
    COUNT_AS("within_1_percent", struct search_finding, within),
    NUMBER_AS("better_share_95", struct search_finding, better_share),
    NUMBER_AS("time_us", struct search_finding, time_us),
    STRING_AS("tops", struct search_finding, tops),
    STRING_AS("progress", struct search_finding, progress),
    {0},
};

static const struct member phase_members[] = {
    NUMBER_AS("compile", struct phase_times, compile_s),
    NUMBER_AS("ceilings", struct phase_times, ceilings_s),
    NUMBER_AS("prepare", struct phase_times, prepare_s),
    NUMBER_AS("reference", struct phase_times, reference_s),
    NUMBER_AS("check", struct phase_times, check_s),
    NUMBER_AS("time", struct phase_times, time_s),
    NUMBER_AS("energy", struct phase_times, energy_s),
    NUMBER_AS("count", struct phase_times, count_s),
    NUMBER_AS("idle", struct phase_times, idle_s),
    NUMBER_AS("record", struct phase_times, record_s),
    NUMBER_AS("measuring", struct phase_times, measuring_s),
    NUMBER_AS("rows", struct phase_times, rows_s),
    NUMBER_AS("device_busy", struct phase_times, busy_s),
    {0},
};

static const struct member card_members[] = {
    TEXT_AS("pci", struct card_state, pci),
    TEXT_AS("vbios", struct card_state, vbios),
    COUNT_AS("power_limit_w", struct card_state, power_limit_w),
    COUNT_AS("power_limit_default_w", struct card_state, power_limit_default_w),
    COUNT_AS("ecc", struct card_state, ecc),
    COUNT_AS("ecc_corrected", struct card_state, ecc_corrected),
    COUNT_AS("ecc_uncorrected", struct card_state, ecc_uncorrected),
    COUNT_AS("remapped_rows", struct card_state, remapped_rows),
    COUNT_AS("retired_pages", struct card_state, retired_pages),
    COUNT_AS("mig", struct card_state, mig),
    COUNT_AS("persistence", struct card_state, persistence),
    COUNT_AS("compute_mode", struct card_state, compute_mode),
    COUNT_AS("pcie_generation", struct card_state, pcie_generation),
    COUNT_AS("pcie_generation_max", struct card_state, pcie_generation_max),
    COUNT_AS("pcie_width", struct card_state, pcie_width),
    COUNT_AS("pcie_width_max", struct card_state, pcie_width_max),
    COUNT_AS("other_processes", struct card_state, other_processes),
    COUNT_AS("numa_node", struct card_state, numa_node),
    {0},
};

static const struct member site_members[] = {
    TEXT_AS("host", struct site, host),
    TEXT_AS("cpus", struct site, cpus),
    TEXT_AS("slurm_job", struct site, slurm_job),
    TEXT_AS("slurm_array_job", struct site, slurm_array_job),
    TEXT_AS("slurm_array_task", struct site, slurm_array_task),
    TEXT_AS("slurm_restarts", struct site, slurm_restarts),
    TEXT_AS("slurm_node", struct site, slurm_node),
    TEXT_AS("slurm_partition", struct site, slurm_partition),
    {0},
};

const struct member conditions_members[] = {
    TEXT_AS("since", struct conditions, since),
    COUNT_AS("number", struct conditions, number),
    COUNT_AS("device_index", struct conditions, device_index),
    TEXT_AS("uuid", struct conditions, uuid),
    TEXT_AS("changes", struct conditions, changes),
    OBJECT_AS("ceilings_start", struct conditions, start, ceilings_members),
    OBJECT_AS("ceilings_end", struct conditions, end, ceilings_members),
    OBJECT_AS("ceilings_together", struct conditions, together, ceilings_members),
    OPTIONAL_AS("card", struct conditions, card, card_members),
    OPTIONAL_AS("card_end", struct conditions, card_end, card_members),
    OPTIONAL_AS("site", struct conditions, site, site_members),
    NUMBER_AS("drift_pct", struct conditions, drift_pct),
    OBJECT_AS("launch", struct conditions, launch, launch_members),
    OBJECT_AS("position", struct conditions, position, position_members),
    LIST_AS("self_checks", struct conditions, checks, check_members),
    LIST_AS("search", struct conditions, searches, search_members),
    OBJECT_AS("seconds", struct conditions, phases, phase_members),
    {0},
};

void conditions_clear(struct conditions *c)
{
    members_clear(conditions_members, c);
}

void phase_times_add(struct phase_times *sum, const struct phase_times *group)
{
    sum->prepare_s += group->prepare_s;
    sum->reference_s += group->reference_s;
    sum->check_s += group->check_s;
    sum->time_s += group->time_s;
    sum->energy_s += group->energy_s;
    sum->count_s += group->count_s;
    sum->idle_s += group->idle_s;
    sum->busy_s += group->busy_s;
}

static double known(double value)
{
    return value > 0 ? value : NAN;
}

void conditions_launch(struct conditions *c, int contexts, double step_us, double launch_us,
                       double refused_us)
{
    struct launch_seen *l = &c->launch; /* fmin() and fmax() below ignore NaN */
    l->contexts = contexts > 0 ? contexts : -1;
    l->step_us = fmin(l->step_us, known(step_us));
    l->min_us = fmin(l->min_us, known(launch_us));
    l->max_us = fmax(l->max_us, known(launch_us));
    l->refused_us = fmax(l->refused_us, known(refused_us));
}

double conditions_drift_pct(const struct conditions *c)
{
    return (c->end.read_gbs / c->start.read_gbs - 1) * 100;
}
