#!/usr/bin/env python3
"""How the cost of the program grows, beside the floor and in turn with it: with the calls in flight, with the size of
messages in both directions, with the length of a session. Writes an SVG for each and all numbers (growth.json).

    growth.py               everything, of this checkout's release build, into figures/: minutes
    growth.py --redraw      the SVGs again, from the numbers that are there
"""
import argparse
import json
import os
import statistics
import sys
import tempfile
from types import SimpleNamespace

from bench import build_floor, release_build
from client import Client, clock
from figures import figure
from machine import cpu, machine_busy, proc_kb
from servers import Server

HERE = os.path.dirname(os.path.abspath(__file__))
KIB, MIB = 1 << 10, 1 << 20
WIDTHS = (1, 8, 64, 512)
LENGTHS = (10, 100, 1_000, 10_000, 100_000)
FLOOR_LENGTH = 10_000  # it keeps nothing that could grow
OUTPUTS = (256, 2 * KIB, 16 * KIB, 128 * KIB, 512 * KIB, 2 * MIB)
COMMANDS = (KIB, 8 * KIB, 64 * KIB, 512 * KIB, 2 * MIB, 8 * MIB)
# Both copies of it in a result are 4 bytes for each byte: 2 MiB of output are an answer of just below 8 MiB.
LINE = 'x"' * 30 + "xxx\n"


def opened(servers, options):
    clients = {server.name: Client(server, options) for server in servers}
    for client in clients.values():
        client.initialize()
        client.call("true")
    return clients


def keep_in_flight(client, width, total):
    """Seconds of each of `total` calls of `true`, `width` of them at a time."""
    sent, took = {}, []

    def more():
        request = client.tool_request("true", 60_000)
        sent[request["id"]] = clock()
        client.send(request)
    for _ in range(min(width, total)):
        more()
    for now, line in client.lines(clock() + 3600):
        message = json.loads(line)
        if message.get("id") not in sent:
            continue
        Client.text(message)
        took.append(now - sent.pop(message["id"]))
        if len(took) + len(sent) < total:
            more()
        if len(took) == total:
            return took
    return took


def in_flight(servers, options):
    rows = {server.name: {} for server in servers}
    for width in WIDTHS:
        clients = opened(servers, options)
        took, seconds, used = ({name: start for name in clients} for start in ((), 0.0, 0.0))
        for _ in range(3):
            for name, client in clients.items():
                start, before = clock(), cpu(client.pid)
                took[name] += tuple(keep_in_flight(client, width, max(100, 2 * width)))
                seconds[name] += clock() - start
                used[name] += cpu(client.pid) - before
        for name, client in clients.items():
            times = sorted(took[name])
            rows[name][width] = {"per_second": len(times) / seconds[name], "p50_ms": 1e3 * statistics.median(times),
                                 "p99_ms": 1e3 * times[int(0.99 * (len(times) - 1))],
                                 "cpu_ms": 1e3 * used[name] / len(times)}
            client.close(0)
    return rows


def one_size(servers, options, command, at_least):
    """One call in turn, so that each server meets the same noise."""
    clients = opened(servers, options)
    took, used, messages = {name: [] for name in clients}, {name: [] for name in clients}, {}
    for turn in range(12):
        for name, client in clients.items():
            before = cpu(client.pid)
            start = clock()
            request = client.tool_request(command, 30_000)
            client.send(request)
            now, line = next(client.lines(clock() + 60))
            if len(Client.text(json.loads(line))) < at_least:
                sys.exit(f"growth: {name}: an answer of {len(line)} bytes lacks output")
            messages[name] = max(len(line), len(json.dumps(request)))
            if turn > 0:
                took[name].append(now - start)
                used[name].append(cpu(client.pid) - before)
    rows = {}
    for name, client in clients.items():
        rows[name] = {"p50_ms": 1e3 * statistics.median(took[name]), "cpu_ms": 1e3 * statistics.median(used[name]),
                      "message": messages[name]}
        client.close(0)
    return rows


def answers(servers, options):
    rows = {server.name: {} for server in servers}
    for size in OUTPUTS:
        path = os.path.join(options.home, f"half-{size}")
        with open(path, "w", encoding="utf-8") as file:
            file.write((LINE * (size // len(LINE) + 1))[:size // 2])
        for name, row in one_size(servers, options, f"cat {path}; cat {path} >&2", size).items():
            rows[name][size] = row
    return rows


def commands(servers, options):
    """The command's text is a comment, so that it is only read."""
    rows = {server.name: {} for server in servers}
    for size in COMMANDS:
        for name, row in one_size(servers, options, "true #" + "x" * size, 0).items():
            rows[name][size] = row
    return rows


def session(servers, options):
    rows, clients, done = {server.name: {} for server in servers}, opened(servers, options), 0
    for total in LENGTHS:
        if total > options.calls:
            break
        for name, client in clients.items():
            if name == "floor" and total > FLOOR_LENGTH:
                continue
            start, used = clock(), cpu(client.pid)
            keep_in_flight(client, 16, total - done)
            rows[name][total] = {"ms": 1e3 * (clock() - start) / (total - done),
                                 "cpu_ms": 1e3 * (cpu(client.pid) - used) / (total - done),
                                 "rss_mib": proc_kb(client.pid, "status", "VmRSS") / 1024,
                                 "descriptors": len(os.listdir(f"/proc/{client.pid}/fd"))}
        done = total
    for client in clients.values():
        client.close()
    return rows


def draw(found):
    def lines(step, **parts):
        return {f"{name}, {label.replace('_', ' ')}": [(int(x), row[metric]) for x, row in rows.items()]
                for label, metric in parts.items() for name, rows in found[step].items()}
    by_size = {"time": "p50_ms", "server_CPU": "cpu_ms"}
    return {
        "in-flight.svg": figure("Calls of `true` in flight", "calls in flight",
                                [("ms a call", lines("in_flight", p50="p50_ms", p99="p99_ms")),
                                 ("calls a second", lines("in_flight", throughput="per_second"))]),
        "answers.svg": figure("A call by the size of its output", "bytes, half on each stream (the answer has 4 times as many)",
                              [("ms", lines("answers", **by_size))]),
        "commands.svg": figure("A call by the size of its command", "bytes", [("ms", lines("commands", **by_size))]),
        "session.svg": figure("A session of `true`, 16 in flight", "calls so far",
                              [("ms a call", lines("session", time="ms", server_CPU="cpu_ms")),
                               ("MiB; number", lines("session", RSS="rss_mib", descriptors="descriptors"))]),
    }


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--ours", metavar="PROGRAM", help="what to measure instead of this checkout's release build")
    ap.add_argument("--calls", type=int, default=LENGTHS[-1], help="how long the session may become (100000)")
    ap.add_argument("--into", metavar="DIR", default=os.path.join(HERE, "figures"))
    ap.add_argument("--redraw", action="store_true", help="measure nothing")
    options = ap.parse_args()
    options.socketpair = False
    os.makedirs(options.into, exist_ok=True)
    numbers = os.path.join(options.into, "growth.json")
    if not options.redraw:
        with tempfile.TemporaryDirectory(prefix="growth-") as options.home:
            found = measure(options)
        with open(numbers, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
            file.write("\n")
    with open(numbers, encoding="utf-8") as file:
        found = json.load(file)
    for name, text in draw(found).items():
        with open(os.path.join(options.into, name), "w", encoding="utf-8") as file:
            file.write(text)


def measure(options):
    floor = build_floor(os.path.join(options.home, "floor"))
    if not floor:
        sys.exit("growth: the floor needs a C compiler")
    servers = [Server("floor", [floor, "exec"]), Server("ours", [options.ours or release_build()])]
    found = {"noise": {}}
    for step in (in_flight, answers, commands, session):
        busy, start = machine_busy(), clock()
        found[step.__name__] = step(servers, options)
        found["noise"][step.__name__] = {"busy_before": round(busy, 2), "load_after": os.getloadavg()[0],
                                         "seconds": round(clock() - start)}
        print(f"growth: {step.__name__}: {found['noise'][step.__name__]}", file=sys.stderr, flush=True)
    return found


if __name__ == "__main__":
    main()
