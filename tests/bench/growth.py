#!/usr/bin/env python3
"""How the cost of the program grows, beside the floor: with the calls in flight, with the size of messages, with the
length of a session. Writes an SVG for each into figures/, and all numbers into figures/growth.json.

    growth.py PROGRAM FLOOR   FLOOR: floor/floor.c, built by  cc -O2 -static -pthread
"""
import json
import os
import statistics
import sys
import tempfile
from types import SimpleNamespace

from client import Client, clock
from figures import chart
from machine import cpu, proc_kb
from servers import Server

HERE = os.path.dirname(os.path.abspath(__file__))
KIB, MIB = 1 << 10, 1 << 20


def opened(server, options):
    client = Client(server, options)
    client.initialize()
    client.call("true")
    return client


def keep_in_flight(client, command, width, total):
    """Seconds of each of `total` calls, `width` of them at a time."""
    sent, took = {}, []

    def more():
        request = client.tool_request(command, 60_000)
        sent[request["id"]] = clock()
        client.send(request)
    for _ in range(min(width, total)):
        more()
    for now, line in client.lines(clock() + 600):
        message = json.loads(line)
        if message.get("id") not in sent:
            continue
        Client.text(message)
        took.append(now - sent.pop(message["id"]))
        if len(took) + len(sent) < total:
            more()
        if len(took) == total:
            return took


def in_flight(server, options):
    rows = {}
    for width in (1, 8, 64, 512):
        client = opened(server, options)
        start, used = clock(), cpu(client.pid)
        took = sorted(keep_in_flight(client, "true", width, max(200, 2 * width)))
        rows[width] = {"per_second": len(took) / (clock() - start), "p50_ms": 1e3 * statistics.median(took),
                       "p99_ms": 1e3 * took[int(0.99 * (len(took) - 1))],
                       "cpu_ms": 1e3 * (cpu(client.pid) - used) / len(took)}
        client.close()
    return rows


def sizes(server, options):
    """Answers of up to 2 MiB (1 MiB a stream), and commands of up to 8 MiB whose text is a comment."""
    answers, commands = {}, {}
    client = opened(server, options)
    for size in (KIB, 8 * KIB, 64 * KIB, 512 * KIB, 2 * MIB):
        path = os.path.join(options.home, f"half-{size}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(("x" * 63 + "\n") * (size // 128))
        answers[size] = one_size(client, f"cat {path}; cat {path} >&2")
    for size in (KIB, 8 * KIB, 64 * KIB, 512 * KIB, 2 * MIB, 8 * MIB):
        try:
            commands[size] = one_size(client, "true #" + "x" * size)
        except Exception as problem:  # the floor passes commands as an argument, which the system limits
            print(f"growth: {server.name}: a command of {size} bytes: {problem}", file=sys.stderr)
            break
    client.close(0)
    return {"answers": answers, "commands": commands}


def one_size(client, command):
    client.call(command)
    used, took = cpu(client.pid), [client.call(command) for _ in range(9)]
    return {"p50_ms": 1e3 * statistics.median(took), "cpu_ms": 1e3 * (cpu(client.pid) - used) / len(took)}


def session(server, options):
    rows, client, done = {}, opened(server, options), 0
    for total in (10, 100, 1_000, 10_000, 100_000):
        start, used = clock(), cpu(client.pid)
        keep_in_flight(client, "true", 16, total - done)
        rows[total] = {"ms_per_call": 1e3 * (clock() - start) / (total - done),
                       "cpu_ms_per_call": 1e3 * (cpu(client.pid) - used) / (total - done),
                       "rss_mib": proc_kb(client.pid, "status", "VmRSS") / 1024,
                       "descriptors": len(os.listdir(f"/proc/{client.pid}/fd"))}
        done = total
        print(f"growth: {server.name}: {total} calls: {rows[total]}", file=sys.stderr, flush=True)
    client.close()
    return rows


def lines_of(found, names, part, metric):
    return {label: [(x, row[metric]) for x, row in part(found[name]).items()] for name, label in names.items()}


def draw(found):
    names = {"floor": "floor", "ours": "ours"}
    both = {**{f"{label}, p50": line for label, line in
               lines_of(found, names, lambda f: f["in_flight"], "p50_ms").items()},
            "ours, p99": [(x, row["p99_ms"]) for x, row in found["ours"]["in_flight"].items()]}
    return {
        "in-flight.svg": chart("Time of a call of `true` by calls in flight", "calls in flight", "ms", both),
        "answers.svg": chart("A call by the size of its output", "bytes, half on each stream", "ms", {
            **lines_of(found, {"floor": "floor, time", "ours": "ours, time"}, lambda f: f["sizes"]["answers"], "p50_ms"),
            **lines_of(found, {"floor": "floor, CPU", "ours": "ours, CPU"}, lambda f: f["sizes"]["answers"], "cpu_ms")}),
        "commands.svg": chart("A call by the size of its command", "bytes", "ms", {
            **lines_of(found, {"floor": "floor, time", "ours": "ours, time"}, lambda f: f["sizes"]["commands"], "p50_ms"),
            **lines_of(found, {"ours": "ours, CPU"}, lambda f: f["sizes"]["commands"], "cpu_ms")}),
        "session.svg": chart("A session of `true`, 16 at a time", "calls so far", "ms a call, MiB, descriptors", {
            **lines_of(found, {"floor": "floor, ms a call", "ours": "ours, ms a call"}, lambda f: f["session"],
                       "ms_per_call"),
            **lines_of(found, {"ours": "ours, RSS in MiB"}, lambda f: f["session"], "rss_mib"),
            **{"ours, descriptors": [(x, row["descriptors"]) for x, row in found["ours"]["session"].items()]}}),
    }


def main():
    program, floor = (os.path.abspath(path) for path in sys.argv[1:3])
    servers = [Server("floor", [floor, "exec"]), Server("ours", [program])]
    found = {}
    with tempfile.TemporaryDirectory(prefix="growth-") as home:
        options = SimpleNamespace(home=home, socketpair=False)
        for server in servers:
            found[server.name] = {step.__name__: step(server, options) for step in (in_flight, sizes, session)}
    folder = os.path.join(HERE, "figures")
    os.makedirs(folder, exist_ok=True)
    for name, text in draw(found).items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    with open(os.path.join(folder, "growth.json"), "w", encoding="utf-8") as file:
        json.dump(found, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
