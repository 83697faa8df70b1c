#!/usr/bin/env python3
"""Measure stdio MCP shell servers side by side. See README.md beside this file.

Every server is driven by the same client, in alternating order (A B A B), in
one run, together with two floors built from floor/floor.c. A step that a server
cannot do is shown as n/a with the reason, and the others go on.
"""
import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile

from client import clock
from report import readme_table, tables
from servers import ADAPTERS, Server, find_peers, parse_server
from steps import STEPS, Bench

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PEERS = os.path.join(HERE, "peers")


def build_floor(path):
    src = os.path.join(HERE, "floor", "floor.c")
    if os.path.exists(path) and os.path.getmtime(path) >= os.path.getmtime(src):
        return path
    os.makedirs(os.path.dirname(path), exist_ok=True)
    cmd = [os.environ.get("CC", "cc"), "-O2", "-static", "-pthread", "-o", path, src]
    try:
        subprocess.run(cmd, check=True)
    except (OSError, subprocess.CalledProcessError) as e:
        print(f"bench: no floors: {e}", file=sys.stderr)
        return None
    return path


def release_build():
    path = os.path.join(ROOT, "build", "release", "cowork-terminal-mcp")
    if not os.path.exists(path):
        sys.exit("bench: no build/release; cmake --workflow --preset release makes it, or give --ours PROGRAM")
    return path


def default_servers(ours):
    """`ours` or this checkout's release build, and the reference where npm ci has been run for it."""
    servers = [Server("ours", [ours or release_build()])]
    reference = os.path.join(HERE, "reference")
    if os.path.isdir(os.path.join(reference, "node_modules")):
        servers.append(Server("reference", ["node", os.path.join(reference, "server.mjs")]))
    else:
        print(f"bench: without the reference; (cd {reference} && npm ci) adds it", file=sys.stderr)
    return servers


def write_between_marks(path, text):
    begin, end = "<!-- written by bench.py --readme -->\n", "<!-- end -->\n"
    before, after = "", ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            before, found, rest = f.read().partition(begin)
        _, ended, after = rest.partition(end)
        if not found or not ended:
            sys.exit(f"bench: {path} has no place for the table: lines {begin.strip()} and {end.strip()}")
    with open(path, "w", encoding="utf-8") as f:
        f.write(before + begin + text + "\n" + end + after)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--server", action="append", default=[], metavar="NAME[@ADAPTER]=COMMAND",
                    help="a server to measure (default: this checkout's build and the reference);\n"
                         "VAR=value before the command sets its environment;\n"
                         "adapters: " + ", ".join(ADAPTERS) + " (default execute_command)")
    ap.add_argument("--ours", metavar="PROGRAM", help="what to measure instead of this checkout's release build")
    ap.add_argument("--peers", metavar="DIR",
                    help="add every known peer installed (npm install) in DIR or right below it\n"
                         "(default: peers/ beside this file, if it is there)")
    ap.add_argument("--skip", default="", help="names of peers to leave out, with commas")
    ap.add_argument("--reference", default="reference", metavar="NAME",
                    help="the server that ratios are taken against")
    ap.add_argument("--only", default="", help="steps, with commas: " + ",".join(STEPS))
    ap.add_argument("--quick", action="store_true", help="fewer runs: under a minute for two")
    ap.add_argument("--json", metavar="FILE", help="also write every number to FILE")
    ap.add_argument("--markdown", metavar="FILE", help="also write the tables to FILE")
    ap.add_argument("--readme", metavar="FILE", help="also write the first table and its note to FILE, between the\n"
                    "marks that are there for it, as in the project's README.md")
    ap.add_argument("--floor-build", metavar="FILE", help="where the floor program is built "
                    "(default: a temporary folder)")
    ap.add_argument("--no-floor", action="store_true")
    ap.add_argument("--settle", type=float, metavar="S", help="before each step wait at most S "
                    "seconds for a quiet machine (default 20, or 0 with --quick)")
    ap.add_argument("--socketpair", action="store_true", help="talk over socket pairs, as a Node "
                    "client does, and not over pipes")
    opts = ap.parse_args()
    steps = [s for s in opts.only.split(",") if s] or STEPS
    for s in steps:
        if s not in STEPS:
            sys.exit(f"bench: no step {s!r}; have {', '.join(STEPS)}")
    if opts.settle is None:
        opts.settle = 0 if opts.quick else 20
    servers = [parse_server(s) for s in opts.server]
    if not servers:
        servers = default_servers(opts.ours)
        opts.peers = opts.peers or PEERS
        print(f"bench: ours is {servers[0].argv[0]}", file=sys.stderr)
    if opts.peers and os.path.isdir(opts.peers):
        servers += [p for p in find_peers(opts.peers) if p.name not in opts.skip.split(",")]
    for f in ("json", "markdown", "readme"):
        if getattr(opts, f):
            setattr(opts, f, os.path.abspath(getattr(opts, f)))
    with tempfile.TemporaryDirectory(prefix="bench-") as opts.home:
        opts.floor = None
        if not opts.no_floor:
            opts.floor = build_floor(os.path.abspath(opts.floor_build or
                                                     os.path.join(opts.home, "floor")))
        if opts.floor:
            servers += [Server("floor-canned", [opts.floor, "canned"], hidden=True),
                        Server("floor-exec", [opts.floor, "exec"], hidden=True)]
        here = os.getcwd()
        os.chdir(opts.home)
        bench = Bench(servers, opts)
        t = clock()
        try:
            bench.run(steps)
        finally:
            os.chdir(here)
    note = (f"{platform.machine()}, {os.cpu_count()} cores, Linux {platform.release()}, "
            f"{'quick' if opts.quick else 'full'} run of {clock() - t:.0f} s over "
            f"{'socket pairs' if opts.socketpair else 'pipes'}.")
    first = readme_table(bench, note) if opts.floor else ""
    text = (f"### In short\n\n{first}\n\n" if first else "") + tables(bench)
    print(text + "\n" + note)
    if opts.markdown:
        with open(opts.markdown, "w") as f:
            f.write(text + "\n" + note + "\n")
    if opts.readme and first:
        write_between_marks(opts.readme, first)
    if opts.json:
        with open(opts.json, "w") as f:
            json.dump({"note": note, "spawn_floor": getattr(bench, "spawn_floor", None),
                       "noise": bench.noise, "results": bench.results}, f, indent=1)


if __name__ == "__main__":
    main()
