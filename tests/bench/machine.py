"""What /proc and the clocks say of processes and of the machine."""
import os
import time


def tree(pid):
    kids = {}
    for d in os.listdir("/proc"):
        if d.isdigit():
            try:
                with open(f"/proc/{d}/stat") as f:
                    ppid = int(f.read().rsplit(")", 1)[1].split()[1])
                kids.setdefault(ppid, []).append(int(d))
            except OSError:
                pass
    todo, out = [pid], []
    while todo:
        p = todo.pop()
        out.append(p)
        todo += kids.get(p, [])
    return out


def proc_kb(pid, file, key):
    with open(f"/proc/{pid}/{file}") as f:
        for line in f:
            if line.startswith(key + ":"):
                return int(line.split()[1])
    return 0


def cpu_and_switches(pids):
    ticks = ns = switches = 0
    for p in pids:
        try:
            with open(f"/proc/{p}/stat") as f:
                s = f.read().rsplit(")", 1)[1].split()
            ticks += int(s[11]) + int(s[12])
            for t in os.listdir(f"/proc/{p}/task"):
                with open(f"/proc/{p}/task/{t}/schedstat") as f:
                    ns += int(f.read().split()[0])
                with open(f"/proc/{p}/task/{t}/status") as f:
                    switches += sum(int(l.split()[1]) for l in f if "ctxt_switches" in l)
        except OSError:
            pass
    return ticks * 1000 / os.sysconf("SC_CLK_TCK"), ns / 1e6, switches


def cpu(pid):
    """CPU seconds of the process so far, its ended threads too, its children not."""
    return time.clock_gettime((~pid << 3) | 2)


def machine_busy(seconds=0.25):
    def read():
        with open("/proc/stat") as f:
            v = [int(x) for x in f.readline().split()[1:9]]
        return sum(v), v[3] + v[4]
    a = read()
    time.sleep(seconds)
    b = read()
    return 1 - (b[1] - a[1]) / max(1, b[0] - a[0])
