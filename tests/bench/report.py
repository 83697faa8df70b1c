"""The tables of a run, as Markdown."""

# metric, label, unit, which floor, whether a ratio says anything
ROWS = [
    ("startup", "cold start: spawn to initialize reply", "ms", "floor-canned", True),
    ("startup_cpu", "CPU the server used until then", "ms", "floor-canned", True),
    ("listed", "cold start: spawn to tools/list reply", "ms", "floor-canned", True),
    ("exit", "stdin closed to process gone (1000: killed)", "ms", "floor-canned", True),
    ("true", "`true` round trip, p50", "ms", "floor-exec", True),
    ("true.p99", "`true` round trip, p99", "ms", "floor-exec", True),
    ("true_cpu", "server CPU a `true` (children not counted)", "ms", "floor-exec", True),
    ("true_over", "`true` p50 above the spawn floor", "ms", "floor-exec", True),
    ("true_share", "share of `true` p50 above the spawn floor", "%", "floor-exec", False),
    ("hi", "`echo hi`", "ms", "floor-exec", True),
    ("100k", "100 KB of text", "ms", "floor-exec", True),
    ("1m", "1 MB of text", "ms", "floor-exec", True),
    ("1m_cpu", "server CPU for 1 MB of text", "ms", "floor-exec", True),
    ("2x1m", "1 MiB on both streams", "ms", "floor-exec", True),
    ("drain_s", "drain {big} from `head \\| tr`", "s", "floor-drain", True),
    ("drain_cpu", "server CPU in that drain", "s", "floor-exec", True),
    ("drain_hwm", "peak RSS in that drain", "MiB", "floor-exec", True),
    ("blast_s", "drain {big} from a fast writer", "s", "floor-drain", True),
    ("blast_cpu", "server CPU in that drain", "s", "floor-exec", True),
    ("blast_hwm", "peak RSS in that drain", "MiB", "floor-exec", True),
    ("idle_rss", "idle RSS", "MiB", "floor-canned", True),
    ("idle_pss", "idle PSS", "MiB", "floor-canned", True),
    ("peak_hwm", "peak RSS after {calls} calls of 2 x 1 MiB", "MiB", "floor-exec", True),
    ("after_rss", "RSS after those calls", "MiB", "floor-exec", True),
    ("sleep64", "64 x `sleep 0.5` at once", "s", "floor-exec", True),
    ("true500", "500 x `true` at once", "s", "floor-exec", True),
    ("true200", "200 x `true` at once", "s", "floor-exec", True),
    ("idle_cpu", "CPU in 3 s of idling (schedstat)", "cpu ms", "floor-canned", False),
    ("idle_ticks", "CPU in 3 s of idling (utime+stime)", "cpu ms", "floor-canned", False),
    ("idle_switches", "context switches in 3 s of idling", "n", "floor-canned", False),
    ("threads", "threads", "n", "floor-canned", False),
    ("libs", "shared libraries mapped", "n", "floor-canned", False),
    ("size", "size on disk (binary, or node_modules)", "MiB", "floor-canned", True),
    ("stdout_noise", "lines on stdout that are not JSON", "n", "floor-canned", False),
]


def shown(x, unit):
    if unit == "ms":
        x *= 1000
    if unit in ("n", "%"):
        return f"{x:.0f}"
    return f"{x:.0f}" if x >= 100 else f"{x:.1f}" if x >= 10 else f"{x:.2f}"


def get(results, metric, name):
    base, _, part = metric.partition(".")
    r = results.get(base, {}).get(name)
    return r if not r or "na" in r else {**r, "median": r[part or "median"]}


# The rows of the table in the README, each with its metric's row above.
README_ROWS = ["startup", "startup_cpu", "true", "true_cpu", "1m", "1m_cpu", "blast_s", "blast_cpu", "blast_hwm",
               "idle_rss", "peak_hwm", "after_rss", "sleep64", "true500", "true200", "idle_cpu", "exit", "size"]


CALLED = {"ours": "this program", "reference": "Node stand-in"}


def noise_in_short(bench):
    busy = [step["busy_before"] for step in bench.noise.values()]
    load = [step["load_after"] for step in bench.noise.values()]
    return f"Noise: {min(busy):.0%} to {max(busy):.0%} busy before a step, load {min(load):.1f} to {max(load):.1f} after it."


def readme_table(bench, note):
    """One table: the floor, the first server, how many times the floor that is, and the other servers."""
    rows = {row[0]: row for row in ROWS}
    words = {"big": "300 MB" if bench.q else "2 GB", "calls": 30 if bench.q else 200}
    names = [server.name for server in bench.servers if not server.hidden]
    ours, others = names[0], names[1:]
    heads = ["what", "floor", CALLED.get(ours, ours), "× floor", *(CALLED.get(name, name) for name in others)]
    out = ["| " + " | ".join(heads) + " |", "| --- |" + " ---: |" * (len(heads) - 1)]
    for metric in README_ROWS:
        _, label, unit, floor, _ = rows[metric]
        found = {name: get(bench.results, metric, name) for name in [floor, *names]}
        if not found[ours] or "na" in found[ours]:
            continue

        def cell(name, found=found, unit=unit):
            known = found.get(name) and "na" not in found[name]
            return shown(found[name]["median"], unit) if known else "n/a"
        least = found[floor]["median"] if found[floor] and "na" not in found[floor] else 0
        times = f"{found[ours]['median'] / least:.2f}" if least > 0 else ""
        cells = [f"{label.format(**words)}, {unit}", cell(floor), cell(ours), times, *map(cell, others)]
        out.append("| " + " | ".join(cells) + " |")
    return "\n".join([*out, "", note, noise_in_short(bench)])


def tables(bench):
    res, opts = bench.results, bench.opts
    names = [s.name for s in bench.servers if not s.hidden]
    words = {"big": "300 MB" if bench.q else "2 GB", "calls": 30 if bench.q else 200}
    out, reasons = [], []
    has_floor = any(s.hidden for s in bench.servers)
    cols = (["floor"] if has_floor else []) + names

    def table(title, cell):
        rows = []
        for metric, label, unit, floor, ratio in ROWS:
            if metric.split(".")[0] not in res:
                continue
            cells = [cell(metric, unit, floor, ratio, c) for c in cols]
            if any(c not in ("", None) for c in cells):
                text = label.format(**words)
                rows.append(f"| {text} | {unit} | " + " | ".join(c or "" for c in cells) + " |")
        if rows:
            out.extend([f"### {title}", "", "| what | unit | " + " | ".join(cols) + " |",
                        "| --- | --- | " + " | ".join("---:" for _ in cols) + " |", *rows, ""])

    def where(floor, col):
        return floor if col == "floor" else col

    def plain(metric, unit, floor, ratio, col):
        r = get(res, metric, where(floor, col))
        if not r:
            return ""
        if "na" in r:
            reasons.append((metric.split(".")[0], col, r["na"]))
            return "n/a"
        if "stopped" in r:
            reasons.append((metric.split(".")[0], col, f"stopped after {r['n']}: {r['stopped']}"))
        n = r.get("calls")
        short = f" ({n} calls)" if n and n != words["calls"] else ""
        return shown(r["median"], unit) + short

    def against(which):
        def cell(metric, unit, floor, ratio, col):
            if not ratio:
                return ""
            base = get(res, metric, floor if which == "floor" else opts.reference)
            r = get(res, metric, where(floor, col))
            if not r or not base or "na" in r or "na" in base:
                return ""
            if base["median"] <= 0 or r["median"] <= 0:
                return "~0" if r["median"] <= 0 else ""
            x = r["median"] / base["median"]
            return f"{x:.0f}" if x >= 100 else f"{x:.1f}" if x >= 10 else f"{x:.2f}" \
                if x >= 0.1 else f"{x:.3f}"
        return cell

    table("Medians", plain)
    if opts.reference in names:
        table(f"Times {opts.reference} (1.00 is the same; lower is better)",
              against(opts.reference))
    if has_floor:
        table("Times the floor (1.00 is the least possible here)", against("floor"))
    if reasons:
        out.append("n/a, or stopped early:")
        grouped = {}
        for metric, col, why in reasons:
            grouped.setdefault((col, why), []).append(metric)
        for (col, why), metrics in grouped.items():
            out.append(f"- {col}, {', '.join(dict.fromkeys(metrics))}: {why}")
        out.append("")
    sf = getattr(bench, "spawn_floor", None)
    if sf:
        out.append(f"Spawn floor (`bash -c true`, both pipes read, in the same run): p50 "
                   f"{sf['median'] * 1000:.2f} ms, p99 {sf['p99'] * 1000:.2f} ms, n {sf['n']}.")
    canned = res.get("true", {}).get("floor-canned")
    if canned and "median" in canned:
        out.append(f"Client and pipe floor (canned reply, no shell): p50 "
                   f"{canned['median'] * 1000:.3f} ms.")
    for metric in ("drain_s", "blast_s"):
        d = res.get(metric, {}).get("floor-drain")
        if d:
            out.append(f"Drain floor ({metric}): best {d['gb_per_s']:.2f} GB/s.")
    out.append("Noise: " + "; ".join(
        f"{k}: {v['busy_before']:.0%} busy before, load {v['load_after']:.1f} after, "
        f"{v['seconds']:.0f} s" for k, v in bench.noise.items()) + ".")
    return "\n".join(out)
