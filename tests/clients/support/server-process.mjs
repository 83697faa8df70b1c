// One server over pipes: lines out, lines in, nothing hidden.
import { spawn } from 'node:child_process';

export class ServerProcess {
  #buffer = Buffer.alloc(0);
  #waiters = new Set();
  #nextId = 1000;
  lines = []; // every line received: {line: Buffer, message}
  stderr = '';

  // `observer` may have sent(message) and received(line, message); it sees all traffic in order.
  constructor(command, args = [], { observer, env = process.env, cwd } = {}) {
    this.observer = observer;
    this.child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env, cwd });
    this.child.stdin.on('error', () => {});
    this.child.stdout.on('data', (chunk) => this.#take(chunk));
    this.child.stderr.on('data', (chunk) => (this.stderr += chunk));
    this.exited = new Promise((done) => this.child.on('close', (code, signal) => done({ code, signal })));
    this.exited.then(() => this.#wake());
  }

  #take(chunk) {
    this.#buffer = this.#buffer.length ? Buffer.concat([this.#buffer, chunk]) : chunk;
    for (let end; (end = this.#buffer.indexOf(10)) >= 0; ) {
      const line = this.#buffer.subarray(0, end);
      this.#buffer = this.#buffer.subarray(end + 1);
      let message;
      try {
        message = JSON.parse(line.toString('utf8'));
      } catch {
        message = undefined;
      }
      this.lines.push({ line, message });
      this.observer?.received?.(line, message);
    }
    this.#wake();
  }

  #wake() {
    for (const waiter of [...this.#waiters]) waiter();
  }

  get unfinishedLine() {
    return this.#buffer;
  }

  send(message) {
    this.observer?.sent?.(message);
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  // For lines that are no JSON, or JSON that JavaScript cannot hold.
  sendRaw(text, newline = '\n') {
    this.observer?.sentRaw?.(text);
    this.child.stdin.write(text);
    this.child.stdin.write(newline);
  }

  notify(method, params) {
    this.send({ jsonrpc: '2.0', method, ...(params && { params }) });
  }

  // The first line, received already after line number `from` or yet to come, for which `wanted` is true.
  next(wanted, what, within = 20000, from = 0) {
    return new Promise((found, failed) => {
      const look = () => {
        for (; from < this.lines.length; from += 1) {
          if (wanted(this.lines[from].message)) return finish(found, this.lines[from].message);
        }
        if (this.child.exitCode !== null || this.child.signalCode !== null) {
          finish(failed, new Error(`server ended before ${what}; stderr: ${this.stderr.slice(-500)}`));
        }
      };
      const finish = (settle, value) => {
        clearTimeout(timer);
        this.#waiters.delete(look);
        settle(value);
      };
      const timer = setTimeout(() => finish(failed, new Error(`not within ${within} ms: ${what}`)), within);
      this.#waiters.add(look);
      look();
    });
  }

  answer(id, within, from = 0) {
    const isAnswer = (message) => message && !Array.isArray(message) && message.method === undefined && message.id === id;
    return this.next(isAnswer, `answer to ${JSON.stringify(id)}`, within, from);
  }

  request(method, params, { id = this.#nextId++, within } = {}) {
    const from = this.lines.length;
    this.send({ jsonrpc: '2.0', id, method, ...(params && { params }) });
    return this.answer(id, within, from);
  }

  async initialize(protocolVersion, capabilities = {}) {
    const answer = await this.request('initialize', {
      protocolVersion,
      capabilities,
      clientInfo: { name: 'client-tests', version: '1' },
    });
    this.notify('notifications/initialized');
    return answer;
  }

  // Closes stdin and waits for the end; kills after `within` milliseconds.
  async end(within = 5000) {
    const started = Date.now();
    this.child.stdin.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), within);
    const { code, signal } = await this.exited;
    clearTimeout(timer);
    return { code, signal, milliseconds: Date.now() - started };
  }
}

const prefix = 'io.modelcontextprotocol/';
export const modernRevision = '2026-07-28';
export const legacyRevisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

// The `_meta` that makes a request one of the stateless revision.
export function modernMeta(capabilities = {}, more = {}) {
  return {
    [`${prefix}protocolVersion`]: modernRevision,
    [`${prefix}clientCapabilities`]: capabilities,
    [`${prefix}clientInfo`]: { name: 'client-tests', version: '1' },
    ...more,
  };
}

export function modern(params = {}, capabilities = {}, more = {}) {
  return { ...params, _meta: modernMeta(capabilities, more) };
}
