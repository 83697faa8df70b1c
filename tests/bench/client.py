"""One server process and the JSON-RPC lines to and from it."""
import errno
import json
import os
import select
import signal
import socket
import tempfile
import time

MAX_LINE = 96 << 20
MIB = 1 << 20
clock = time.perf_counter


class Failed(Exception):
    """A step failed for one server; the text is the reason shown."""


class Client:
    """One server process and the JSON-RPC lines to and from it."""

    def __init__(self, server, opts):
        self.server, self.next_id, self.buf, self.noise = server, 0, bytearray(), 0
        self.stderr = tempfile.TemporaryFile()
        if opts.socketpair:
            a, child_in = socket.socketpair()
            b, child_out = socket.socketpair()
            self.w, self.r = a.detach(), b.detach()
            child_in, child_out = child_in.detach(), child_out.detach()
        else:
            child_in, self.w = os.pipe()
            self.r, child_out = os.pipe()
        env = {**os.environ, "HOME": opts.home, **server.env}
        self.t0 = clock()
        self.pid = os.posix_spawn(
            server.exe, server.argv, env, setpgroup=0,
            file_actions=[(os.POSIX_SPAWN_DUP2, child_in, 0), (os.POSIX_SPAWN_DUP2, child_out, 1),
                          (os.POSIX_SPAWN_DUP2, self.stderr.fileno(), 2)])
        os.close(child_in)
        os.close(child_out)
        os.set_blocking(self.w, False)
        os.set_blocking(self.r, False)
        self.out = b""

    def why_dead(self):
        self.stderr.seek(0, 2)
        self.stderr.seek(max(0, self.stderr.tell() - 2000))
        tail = [l for l in self.stderr.read().decode(errors="replace").splitlines() if l.strip()]
        fatal = [l for l in tail if "rror" in l or "FATAL" in l]
        return ("; " + (fatal or tail)[-1].strip()[:90]) if tail else ""

    def send(self, *objs):
        self.out += b"".join(json.dumps(o, ensure_ascii=True, separators=(",", ":")).encode()
                             + b"\n" for o in objs)
        self.flush()

    def flush(self):
        while self.out:
            try:
                self.out = self.out[os.write(self.w, self.out):]
            except BlockingIOError:
                return
            except OSError as e:
                raise Failed("server closed its input" + self.why_dead()) from e

    def lines(self, deadline):
        """Yield (arrival time, bytes) of each whole line until the deadline."""
        poll = select.poll()
        while True:
            poll.register(self.r, select.POLLIN)
            if self.out:
                poll.register(self.w, select.POLLOUT)
            left = deadline - clock()
            if left <= 0:
                raise Failed("timeout")
            events = poll.poll(left * 1000)
            if self.out:
                poll.unregister(self.w)
                self.flush()
            if not any(fd == self.r for fd, _ in events):
                continue
            try:
                chunk = os.read(self.r, MIB)
            except BlockingIOError:
                continue
            except OSError as e:
                if e.errno != errno.ECONNRESET:
                    raise
                chunk = b""
            if not chunk:
                raise Failed("server died" + self.why_dead())
            now = clock()
            if b"\n" not in chunk:
                self.buf += chunk
                if len(self.buf) > MAX_LINE:
                    raise Failed(f"reply over {MAX_LINE >> 20} MiB")
                continue
            first, *rest = chunk.split(b"\n")
            self.buf += first
            done = [bytes(self.buf)] + rest[:-1]
            self.buf = bytearray(rest[-1])
            for line in done:
                yield now, line

    def replies(self, ids, timeout):
        """Wait for the replies to ids; gives {id: (arrival time, message)}."""
        want, got = set(ids), {}
        for now, line in self.lines(clock() + timeout):
            if not line.strip():
                continue
            try:
                msg = json.loads(line)
            except ValueError:
                self.noise += 1  # not JSON on stdout: a breach of the protocol, skipped
                continue
            if "method" in msg and "id" in msg:
                if msg["method"] == "ping":
                    self.send({"jsonrpc": "2.0", "id": msg["id"], "result": {}})
                else:
                    self.send({"jsonrpc": "2.0", "id": msg["id"],
                               "error": {"code": -32601, "message": "not supported"}})
            elif msg.get("id") in want:
                want.discard(msg["id"])
                got[msg["id"]] = (now, msg)
                if not want:
                    return got

    def request(self, method, params, timeout):
        self.next_id += 1
        n = self.next_id
        t = clock()
        self.send({"jsonrpc": "2.0", "id": n, "method": method, "params": params})
        now, msg = self.replies([n], timeout)[n]
        if "error" in msg:
            raise Failed("error: " + str(msg["error"].get("message"))[:80])
        return now - t, now, msg["result"]

    def initialize(self, timeout=30):
        _, now, result = self.request("initialize", {
            "protocolVersion": "2025-06-18", "capabilities": self.server.adapter.capabilities,
            "clientInfo": {"name": "bench", "version": "1"}}, timeout)
        self.started = now - self.t0
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        for method, params in self.server.adapter.setup:
            self.request(method, params, timeout)
        return result

    def tool_request(self, command, ms):
        self.next_id += 1
        return {"jsonrpc": "2.0", "id": self.next_id, "method": "tools/call", "params": {
            "name": self.server.adapter.tool, "arguments": self.server.adapter.args(command, ms)}}

    def call(self, command, timeout=30, expect=None, at_least=0):
        """Run one command; gives the seconds from the request to the whole reply."""
        req = self.tool_request(command, int(timeout * 1000))
        t = clock()
        self.send(req)
        now, msg = self.replies([req["id"]], timeout + 5)[req["id"]]
        text = self.text(msg)
        if expect and expect not in text:
            head = " ".join(text[:70].split())
            raise Failed(f"output incomplete ({len(text)} characters: {head!r})")
        if len(text) < at_least:
            raise Failed(f"output incomplete ({len(text)} of {at_least} characters)")
        return now - t

    @staticmethod
    def text(msg):
        if "error" in msg:
            raise Failed("error: " + str(msg["error"].get("message"))[:80])
        result = msg["result"]
        text = "".join(c.get("text", "") for c in result.get("content", []))
        if result.get("isError"):
            raise Failed("tool error: " + " ".join(text.split())[:70])
        return text

    def close(self, wait=1.0):
        """Close stdin; gives the seconds until exit, or None if it had to be killed."""
        t, took = clock(), None
        for fd in (self.w, self.r) if not wait else (self.w,):
            os.close(fd)
        while wait:
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                took = clock() - t
                break
            if clock() - t > wait:
                break
            time.sleep(0.0005)
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        if took is None:
            os.waitpid(self.pid, 0)
        if wait:
            os.close(self.r)
        self.stderr.close()
        return took
