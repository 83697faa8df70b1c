"""The steps of the measurement, each of them over all servers in turn."""
import os
import statistics
import subprocess
import sys
import time

from client import MIB, Client, Failed, clock
from machine import cpu, cpu_and_switches, machine_busy, proc_kb, tree

STEPS = ["startup", "roundtrip", "sizes", "drain", "memory", "parallel", "idle"]


class Bench:
    def __init__(self, servers, opts):
        self.servers, self.opts = servers, opts
        self.q = opts.quick
        self.results = {}
        self.noise = {}
        self.dead = {}

    def put(self, metric, server, values, **more):
        v = sorted(values)
        self.results.setdefault(metric, {})[server.name] = {
            "median": statistics.median(v), "p10": v[int(len(v) * 0.1)],
            "p99": v[min(len(v) - 1, int(len(v) * 0.99))], "min": v[0], "n": len(v), **more}

    def value(self, metric, server, x):
        self.put(metric, server, [x])

    def na(self, metric, server, reason):
        self.results.setdefault(metric, {})[server.name] = {"na": str(reason) or "failed"}

    def open(self, server):
        """Start a server; one that could not be initialized once is not tried again."""
        if server.name in self.dead:
            raise Failed(self.dead[server.name])
        c = Client(server, self.opts)
        try:
            c.initialize(10 if self.q else 30)
            return c
        except Failed as e:
            self.dead[server.name] = f"initialize: {e}"
            c.close(0)
            raise Failed(self.dead[server.name]) from e

    def alternate(self, metrics, rounds, one, box, servers=None, keep=True, floor=None):
        """Call one(client, server, round) for each server in turn, round after round.

        one gives a dict metric -> list of values. A server that fails is dropped
        with its reason; one that has used `box` seconds gets no more rounds.
        floor() is called once a round, among the servers.
        """
        live, clients = list(servers or self.servers), {}
        got = {s.name: {m: [] for m in metrics} for s in live}
        used = {s.name: 0.0 for s in live}
        stopped = {}
        for i in range(rounds):
            if min(used.values()) > box:
                break
            if floor and self.opts.floor:
                floor()
            for s in (live if i % 2 == 0 else live[::-1]):
                if used[s.name] > box:
                    continue
                t = clock()
                try:
                    if keep and s.name not in clients:
                        clients[s.name] = self.open(s)
                    for m, vals in one(clients.get(s.name), s, i).items():
                        got[s.name][m] += vals
                except (Failed, OSError) as e:
                    stopped[s.name] = str(e)
                    for m in metrics:
                        if not got[s.name][m]:
                            self.na(m, s, e)
                    used[s.name] = float("inf")
                    if s.name in clients:
                        clients.pop(s.name).close(0)
                used[s.name] += clock() - t
        for c in clients.values():
            c.close(0)
        for s in live:
            for m in metrics:
                if got[s.name][m]:
                    self.put(m, s, got[s.name][m])
                    if s.name in stopped:
                        self.results[m][s.name]["stopped"] = stopped[s.name]

    def step_startup(self):
        metrics = ["startup", "startup_cpu", "listed", "exit"]

        def one(_, s, i):
            if i >= ((6 if self.q else 16) if s.node else (16 if self.q else 51)):
                return {}
            c = self.open(s)
            try:
                used = cpu(c.pid)
                _, now, _ = c.request("tools/list", {}, 30)
            except Failed:
                c.close(0)
                raise
            listed = now - c.t0
            noise, took = c.noise, c.close()
            if noise:
                self.results.setdefault("stdout_noise", {})[s.name] = {"median": noise, "n": 1}
            if i == 0:
                return {}  # the first run warms the page cache
            return {"startup": [c.started], "startup_cpu": [used], "listed": [listed],
                    "exit": [took if took is not None else 1.0]}
        self.alternate(metrics, 16 if self.q else 51, one, 8 if self.q else 45, keep=False)

    def floor_spawn(self, n):
        out = subprocess.run([self.opts.floor, "spawn", str(n)], capture_output=True, text=True,
                             timeout=60, check=True).stdout
        return [float(x) / 1e6 for x in out.split()]

    def step_roundtrip(self):
        block, rounds = (10, 6) if self.q else (20, 15)
        spawn = []

        def one(c, s, i):
            if i == 0:
                for _ in range(5):
                    c.call("true")
            used = cpu(c.pid)
            took = [c.call("true") for _ in range(block)]
            return {"true": took, "true_cpu": [(cpu(c.pid) - used) / block]}
        self.alternate(["true", "true_cpu"], rounds, one, 20 if self.q else 60,
                       floor=lambda: spawn.extend(self.floor_spawn(block)))
        if not spawn:
            return
        base = statistics.median(spawn)
        self.spawn_floor = {"median": base, "p99": sorted(spawn)[int(len(spawn) * 0.99)],
                            "n": len(spawn)}
        for s in self.servers:
            r = self.results["true"].get(s.name, {})
            if s.name == "floor-canned":
                continue
            if "na" in r:
                self.na("true_over", s, r["na"])
            elif r:
                self.value("true_over", s, r["median"] - base)
                self.value("true_share", s, 100 * (r["median"] - base) / r["median"])

    def step_sizes(self):
        n = 5 if self.q else 25
        for metric, size in (("hi", 0), ("100k", 100_000), ("1m", 1_000_000)):
            cmd = "cat " + self.text_file(size) if size else "echo hi"
            expect = "END-OF-TEXT" if size else "hi"

            def one(c, s, i, metric=metric, cmd=cmd, expect=expect, size=size):
                if i == 0:
                    c.call(cmd, 30, expect, int(size * 0.85))
                    return {}
                used = cpu(c.pid)
                took = [c.call(cmd, 30, expect, int(size * 0.85)) for _ in range(2)]
                return {metric: took, metric + "_cpu": [(cpu(c.pid) - used) / 2]}
            self.alternate([metric, metric + "_cpu"], n + 1, one, 10 if self.q else 25, self.real())

    def real(self):
        return [s for s in self.servers if s.name != "floor-canned"]

    def step_drain(self):
        size = 300_000_000 if self.q else 2_000_000_000
        limit = 30 if self.q else 60
        kinds = [("drain", f"head -c {size} /dev/zero | tr '\\0' x; printf drai%s ned >&2")]
        if self.opts.floor:
            kinds.append(("blast", f"{self.opts.floor} blast {size}; printf drai%s ned >&2"))
        for metric, cmd in kinds:
            floors = []

            def floor(cmd=cmd, floors=floors):
                out = subprocess.run([self.opts.floor, "drain", cmd], capture_output=True,
                                     text=True, timeout=limit + 60, check=True).stdout
                floors.append(float(out.split()[1]))

            def one(_, s, i, metric=metric, cmd=cmd):
                c = self.open(s)
                try:
                    used = cpu(c.pid)
                    took = c.call(cmd, limit, "drained")
                    return {metric + "_s": [took], metric + "_cpu": [cpu(c.pid) - used],
                            metric + "_hwm": [proc_kb(c.pid, "status", "VmHWM") / 1024]}
                finally:
                    c.close(0)
            self.alternate([metric + "_s", metric + "_cpu", metric + "_hwm"],
                           1 if self.q else 3, one, limit, self.real(), False, floor)
            if floors:
                r = self.results.setdefault(metric + "_s", {})
                r["floor-drain"] = {"median": statistics.median(floors), "min": min(floors),
                                    "n": len(floors), "gb_per_s": size / min(floors) / 1e9}

    def step_memory(self):
        calls, box = (30, 8) if self.q else (200, 40)
        path = self.text_file(MIB)
        cmd = f"cat {path}; cat {path} >&2"

        def one(c, s, i):
            took = [c.call(cmd, 30, "END-OF-TEXT", MIB) for _ in range(10)]
            self.peak[s.name] = (proc_kb(c.pid, "status", "VmHWM") / 1024,
                                 proc_kb(c.pid, "status", "VmRSS") / 1024)
            return {"2x1m": took}
        self.peak = {}
        self.alternate(["2x1m"], calls // 10, one, box, self.real())
        for s in self.real():
            if s.name in self.peak:
                hwm, rss = self.peak[s.name]
                n = self.results["2x1m"][s.name]["n"]
                self.put("peak_hwm", s, [hwm], calls=n)
                self.put("after_rss", s, [rss], calls=n)
            else:
                why = self.results.get("2x1m", {}).get(s.name, {}).get("na", "failed")
                self.na("peak_hwm", s, why)
                self.na("after_rss", s, why)

    def step_parallel(self):
        many = 200 if self.q else 500
        for metric, n, cmd in (("sleep64", 64, "sleep 0.5"), (f"true{many}", many, "true")):
            def one(c, s, i, n=n, cmd=cmd, metric=metric):
                reqs = [c.tool_request(cmd, 30000) for _ in range(n)]
                t = clock()
                c.send(*reqs)
                got = c.replies([r["id"] for r in reqs], 60)
                for _, msg in got.values():
                    Client.text(msg)
                return {metric: [max(now for now, _ in got.values()) - t]}
            self.alternate([metric], 1 if self.q else 5, one, 10 if self.q else 30, self.real())

    def step_idle(self):
        clients = {}
        for s in self.servers:
            try:
                clients[s] = self.open(s)
            except Failed as e:
                for m in ("idle_rss", "idle_pss", "idle_cpu", "idle_switches", "threads",
                          "libs", "size"):
                    self.na(m, s, e)
        time.sleep(1.5 if self.q else 3)
        trees = {s: tree(c.pid) for s, c in clients.items()}
        before = {s: cpu_and_switches(p) for s, p in trees.items()}
        t = clock()
        time.sleep(1 if self.q else 3)
        for s, pids in trees.items():
            a, b = before[s], cpu_and_switches(pids)
            scale = 3 / (clock() - t)
            self.value("idle_cpu", s, (b[1] - a[1]) * scale)
            self.value("idle_ticks", s, (b[0] - a[0]) * scale)
            self.value("idle_switches", s, (b[2] - a[2]) * scale)
        for s, c in clients.items():
            pids = trees[s]
            try:
                self.value("idle_rss", s, sum(proc_kb(p, "status", "VmRSS") for p in pids) / 1024)
                self.value("idle_pss", s, sum(proc_kb(p, "smaps_rollup", "Pss") for p in pids)
                           / 1024)
                self.value("threads", s, sum(proc_kb(p, "status", "Threads") for p in pids))
                with open(f"/proc/{c.pid}/maps") as f:
                    files = {l.split(None, 5)[5].strip() for l in f if len(l.split(None, 5)) > 5}
                self.value("libs", s, sum(".so" in os.path.basename(p) for p in files))
                self.value("size", s, self.disk(s))
            except OSError as e:
                self.na("idle_rss", s, e)
        for c in clients.values():
            c.close(0)

    @staticmethod
    def disk(s):
        if not s.node:
            return os.path.getsize(os.path.realpath(s.exe)) / MIB
        script = next((a for a in s.argv[1:] if os.path.exists(a)), None)
        d = os.path.dirname(os.path.abspath(script or s.argv[-1]))
        while d != "/" and os.path.basename(d) != "node_modules":
            if os.path.isdir(os.path.join(d, "node_modules")) and "node_modules" not in d:
                d = os.path.join(d, "node_modules")
                break
            d = os.path.dirname(d)
        while "/node_modules" in os.path.dirname(d):
            d = os.path.dirname(d)
        total = 0
        for base, _, files in os.walk(d):
            total += sum(os.lstat(os.path.join(base, f)).st_size for f in files)
        return total / MIB

    def text_file(self, size):
        """A file of exactly size bytes: log-like UTF-8 text with an end mark."""
        path = os.path.join(self.opts.home, f"text-{size}")
        if os.path.exists(path):
            return path
        end = "END-OF-TEXT\n".encode()
        lines = ['src/main.cpp:{n}:17: warning: unused "value" in C:\\build\\x [-Wunused]\n',
                 "\x1b[32mok {n}\x1b[0m\tinstalação concluída — 漢字 😀 ✓\n",
                 '{{"id":{n},"path":"/usr/lib/x\\n","ok":true}}\n',
                 "    at Object.<anonymous> (/app/node_modules/lib/index.js:{n}:11)\n"]
        out, n = bytearray(), 0
        while True:
            line = lines[n % 4].format(n=n).encode()
            if len(out) + len(line) + len(end) > size:
                break
            out += line
            n += 1
        out += b"." * (size - len(out) - len(end)) + end
        with open(path, "wb") as f:
            f.write(out)
        return path

    def run(self, steps):
        for step in steps:
            if self.opts.settle:
                t = clock()
                while machine_busy() > 0.2 and clock() - t < self.opts.settle:
                    pass
            busy, t = machine_busy(), clock()
            print(f"bench: {step} ...", end="", file=sys.stderr, flush=True)
            getattr(self, "step_" + step)()
            self.noise[step] = {"busy_before": round(busy, 2), "seconds": round(clock() - t, 1),
                                "load_after": os.getloadavg()[0]}
            print(f" {clock() - t:.1f} s", file=sys.stderr, flush=True)
