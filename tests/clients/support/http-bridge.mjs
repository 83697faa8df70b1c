// The official suite speaks only Streamable HTTP to servers: this puts a stdio server behind it, on the loopback.
// Each `initialize` starts a process of its own (a session); all stateless traffic shares one.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import http from 'node:http';

const versionKey = 'io.modelcontextprotocol/protocolVersion';
const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';
const statusOfCode = { '-32700': 400, '-32600': 400, '-32601': 404, '-32020': 400, '-32021': 400, '-32022': 400 };

const errorMessage = (id, code, message) => ({ jsonrpc: '2.0', id, error: { code, message } });

function statusOf(error) {
  if (error.code === -32602 && error.message.includes('_meta')) return 400;
  return statusOfCode[error.code] ?? 200;
}

// Ids and progress tokens of different HTTP clients may be equal, so each gets one of the bridge's own on the way in.
class StdioServer {
  #next = 0;
  #open = new Map(); // our id -> the request's sink
  #byToken = new Map();

  constructor(command) {
    this.ended = false;
    this.child = spawn(command, [], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.child.stdin.on('error', () => {});
    this.closed = new Promise((done) => this.child.on('close', done));
    this.closed.then(() => {
      this.ended = true;
      for (const sink of this.#open.values()) sink.done(errorMessage(sink.id, -32603, 'the server ended'));
    });
    let rest = '';
    this.child.stdout.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) this.#receive(JSON.parse(line));
    });
  }

  write(message) {
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  // The sink gets note(message) for what comes on the way and done(message) for the answer.
  request(message, sink) {
    const id = ++this.#next;
    const copy = structuredClone(message);
    copy.id = id;
    const entry = { ...sink, id: message.id, token: copy.params?._meta?.progressToken };
    if (entry.token !== undefined) {
      copy.params._meta.progressToken = `bridge-${id}`;
      this.#byToken.set(`bridge-${id}`, entry);
    }
    this.#open.set(id, entry);
    this.write(copy);
    return () => {
      if (!this.#open.delete(id)) return;
      this.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason: 'stream closed' } });
    };
  }

  #receive(message) {
    if (message.method === undefined) {
      const sink = this.#open.get(message.id);
      if (!sink) return;
      this.#open.delete(message.id);
      this.#byToken.delete(`bridge-${message.id}`);
      const meta = message.result?._meta;
      if (meta?.[subscriptionKey] !== undefined) meta[subscriptionKey] = sink.id;
      sink.done({ ...message, id: sink.id });
      return;
    }
    const { params } = message;
    let sink = this.#byToken.get(params?.progressToken);
    if (sink) params.progressToken = sink.token;
    const subscription = params?._meta?.[subscriptionKey];
    if (subscription !== undefined) {
      sink = this.#open.get(subscription);
      if (sink) params._meta[subscriptionKey] = sink.id;
    }
    sink ??= [...this.#open.values()].at(-1);
    sink?.note(message);
  }

  async close() {
    this.child.stdin.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 3000);
    await this.closed;
    clearTimeout(timer);
  }
}

function isLocal(origin) {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin.replace(/^https?:\/\//, ''));
}

function isModern(message, version) {
  if (message.params?._meta?.[versionKey] !== undefined || message.method === 'server/discover') return true;
  if (version === undefined) return false;
  return !/^\d{4}-/.test(version) || version >= '2026-07-28';
}

// What the stateless revision demands of HTTP headers; it says nothing about the server behind.
function headerMismatch(message, headers) {
  if (message.id === undefined) return undefined;
  const version = message.params?._meta?.[versionKey];
  if (version !== undefined && headers['mcp-protocol-version'] !== version) return 'MCP-Protocol-Version';
  if (headers['mcp-method'] !== message.method) return 'Mcp-Method';
  const name = message.params?.name ?? message.params?.uri;
  if (headers['mcp-name'] !== undefined && headers['mcp-name'] !== name) return 'Mcp-Name';
  return undefined;
}

export async function startBridge(command) {
  const sessions = new Map();
  let shared;
  const started = [];
  const start = () => {
    const server = new StdioServer(command);
    started.push(server);
    return server;
  };

  function answer(message, request, response) {
    const send = (status, body, headers = {}) => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
    const session = request.headers['mcp-session-id'];
    const modern = isModern(message, request.headers['mcp-protocol-version']);
    const headers = {};
    let server;
    if (modern) {
      const mismatch = headerMismatch(message, request.headers);
      if (mismatch) return send(400, errorMessage(message.id, -32020, `HeaderMismatch: ${mismatch}`));
      if (!shared || shared.ended) shared = start();
      server = shared;
    } else if (message.method === 'initialize') {
      server = start();
      headers['Mcp-Session-Id'] = randomUUID();
      sessions.set(headers['Mcp-Session-Id'], server);
    } else {
      server = sessions.get(session);
      if (!server) return send(session ? 404 : 400, errorMessage(message.id, -32000, session ? 'Session not found' : 'Mcp-Session-Id required'));
    }
    if (message.method === undefined || message.id === undefined) {
      server.write(message);
      response.writeHead(202);
      return response.end();
    }
    let streaming = false;
    const event = (body) => {
      if (!streaming) response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', ...headers });
      streaming = true;
      response.write(`event: message\ndata: ${JSON.stringify(body)}\n\n`);
    };
    const cancel = server.request(message, {
      note: event,
      done(body) {
        if (!streaming) return send(modern && body.error ? statusOf(body.error) : 200, body, headers);
        event(body);
        return response.end();
      },
    });
    return response.on('close', () => response.writableFinished || cancel());
  }

  const front = http.createServer((request, response) => {
    const refuse = (status, headers = {}) => response.writeHead(status, headers).end();
    if (!isLocal(request.headers.host ?? '') || (request.headers.origin && !isLocal(request.headers.origin))) return refuse(403);
    if (request.method === 'DELETE') {
      const server = sessions.get(request.headers['mcp-session-id']);
      sessions.delete(request.headers['mcp-session-id']);
      server?.close();
      return refuse(server ? 200 : 404);
    }
    if (request.method !== 'POST') return refuse(405, { Allow: 'POST, DELETE' });
    let body = '';
    request.setEncoding('utf8').on('data', (text) => (body += text));
    return request.on('end', () => {
      let message;
      try {
        message = JSON.parse(body);
      } catch {
        return refuse(400);
      }
      return answer(message, request, response);
    });
  });
  await new Promise((done) => front.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${front.address().port}/mcp`,
    async close() {
      front.closeAllConnections();
      front.close();
      await Promise.all(started.map((server) => server.close()));
    },
  };
}
