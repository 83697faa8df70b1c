// Long sessions of every kind, in which each line the server writes is judged by the official schema of its revision.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ServerProcess, legacyRevisions, modern, modernMeta } from '../support/server-process.mjs';
import { fixture, scratch, server, treeCommand, treeGone, treePids } from '../support/under-test.mjs';
import { WireSchema } from '../support/wire-schema.mjs';

const limit = { timeout: 120000 };
const counts = {};

async function session(name, program, talk) {
  const schema = new WireSchema();
  const peer = new ServerProcess(program, ['--log-level', 'trace'].slice(0, program === server ? 2 : 0), { observer: schema });
  try {
    await talk(peer, schema);
    const end = await peer.end();
    assert.deepEqual(schema.complaints.slice(0, 10), [], `${schema.complaints.length} complaints`);
    assert.deepEqual(schema.unanswered, []);
    assert.equal(peer.unfinishedLine.length, 0);
    assert.deepEqual([end.code, end.signal], [0, null], peer.stderr.slice(-500));
    counts[name] = schema.validated;
  } finally {
    peer.child.kill('SIGKILL');
  }
}

// What makes params those of an era's request.
const inLegacy = (params = {}) => params;
const inModern = (params = {}) => modern(params);

function tools(peer, era) {
  const call = (args, more = {}) => peer.request('tools/call', era({ name: 'execute_command', arguments: args, ...more }), { within: 40000 });
  const output = async (args) => JSON.parse((await call(args)).result.content[0].text);
  return { call, output };
}

// Results of every shape that a command can give.
async function commands(peer, era) {
  const { call, output } = tools(peer, era);
  assert.equal((await output({ command: 'echo hi' })).stdout, 'hi\n');
  assert.equal((await output({ command: 'exit 3' })).exitCode, 3);
  assert.equal((await output({ command: 'kill -9 $$' })).signal, 'SIGKILL');
  assert.equal((await output({ command: "printf '\\377\\376ok\\n'" })).stdout, '\ufffd\ufffdok\n');
  assert.equal((await output({ command: "printf 'a\\0b\\r\\n\\033[31m\\342\\200\\250'" })).stdout, 'a\0b\r\n\x1b[31m\u2028');
  assert.equal((await output({ command: 'echo partial; sleep 60', timeout: 300 })).timedOut, true);
  assert.match((await output({ command: 'seq 1 400000' })).stdout, /\n\[stdout truncated at 1MB\]$/);
  assert.equal((await output({ command: "yes '€' | tr -d '\\n' | head -c 600000" })).stdout, '€'.repeat(200000));
  const control = "head -c 1048576 /dev/zero | tr '\\0' '\\1'";
  assert.match((await output({ command: `${control}; ${control} >&2` })).stdout, /^\u0001+\n\[stdout truncated at \d+ bytes\]$/);
  const invalid = "head -c 1048576 /dev/zero | tr '\\0' '\\377'";
  assert.match((await output({ command: `${invalid}; ${invalid} >&2` })).stdout, /^\ufffd+\n\[stdout truncated at .+\]$/);
  for (const bad of [{}, { command: ' ' }, { command: 'true', cwd: '/no/such/place' }, { command: 'true', timeout: '5s' },
    { command: 'true', cwdd: '/' }, { command: 'a\0b' }, { command: 'true', env: { '': 'x' } }]) {
    const { result } = await call(bad);
    assert.equal(result.isError, true, JSON.stringify(bad));
    assert.equal(result.content.length, 1);
  }
  assert.equal((await call({ command: 'echo' }, { task: {}, foo: 1 })).result.isError ?? false, false);
}

async function protocolErrors(peer, era) {
  const code = async (method, params) => (await peer.request(method, params)).error?.code;
  assert.equal(await code('tools/call', era({ name: 'no_such_tool', arguments: {} })), -32602);
  assert.equal(await code('tools/call', era({ arguments: {} })), -32602);
  assert.equal(await code('tools/call', era({ name: 'execute_command', arguments: 'echo' })), -32602);
  assert.equal(await code('tools/list', era({ cursor: 'unknown' })), -32602);
  for (const method of ['logging/setLevel', 'resources/list', 'prompts/list', 'completion/complete', 'tasks/list', 'no/such']) {
    assert.equal(await code(method, era()), -32601, method);
  }
}

// The rows of JSON-RPC faults; each has exactly one error as its answer, with the id if one could be read.
async function brokenLines(peer) {
  const withoutId = ['{bad', '{"jsonrpc":"2.0","id":1,"method":"ping"', '"text"', '7', 'null', '[]', '[1]',
    '{"jsonrpc":"2.0","id":null,"method":"ping"}', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', '{"jsonrpc":"2.0","id":true,"method":"ping"}',
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])];
  for (const line of withoutId) {
    const from = peer.lines.length;
    peer.sendRaw(line);
    await peer.next((message) => [message].flat().some((each) => each?.error && (each.id ?? null) === null), `answer to ${line}`, 5000, from);
  }
  const withId = [{ id: 'b1', method: 'ping' }, { jsonrpc: '1.0', id: 'b2', method: 'ping' }, { jsonrpc: '2.0', id: 'b3' },
    { jsonrpc: '2.0', id: 'b4', method: 5 }, { jsonrpc: '2.0', id: 'b5', method: 'tools/list', params: [] },
    { jsonrpc: '2.0', id: 'b6', method: 'tools/list', params: { _meta: 5 } }, { jsonrpc: '2.0', id: 'b7', method: 'ping', result: {} }];
  for (const message of withId) {
    peer.send(message);
    assert.ok((await peer.answer(message.id, 5000)).error, JSON.stringify(message));
  }
  for (const line of ['', '   ', '\r', '{"jsonrpc":"2.0","id":"none","result":{}}', '{"jsonrpc":"2.0","method":"tools/call","params":{}}',
    '{"jsonrpc":"2.0","method":"notifications/nothing"}', '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}']) {
    peer.sendRaw(line);
  }
  peer.sendRaw(`{"jsonrpc":"2.0","method":"tools/call","params":{"arguments":{"command":"${'x'.repeat(20 << 20)}"}},"id":"long"}`);
  assert.equal((await peer.answer('long')).error.code, -32600);
}

async function progressAndCancel(peer, schema, era, name) {
  const withToken = (token) => {
    const params = era({ name: 'execute_command', arguments: { command: 'sleep 6' } });
    return { ...params, _meta: { ...params._meta, progressToken: token } };
  };
  const slow = [0, 'a token', 7].map((token) => peer.request('tools/call', withToken(token)));
  const file = join(scratch, `schema-${name}`);
  peer.send({ jsonrpc: '2.0', id: 'to cancel', method: 'tools/call', params: era({ name: 'execute_command', arguments: { command: treeCommand(file) } }) });
  const pids = await treePids(file);
  peer.notify('notifications/cancelled', { requestId: 'to cancel', reason: 'enough' });
  schema.forget('to cancel');
  await treeGone(pids);
  await Promise.all(slow);
  const tokens = peer.lines.filter(({ message }) => message?.method === 'notifications/progress').map(({ message }) => message.params.progressToken);
  assert.deepEqual(tokens.sort(), [0, 7, 'a token'].sort());
}

function many(peer, eraOf, count) {
  const calls = Array.from({ length: count }, async (_, i) => {
    const params = eraOf(i)({ name: 'execute_command', arguments: { command: `echo ${i}; exit ${i % 7}` } });
    const { result } = await peer.request('tools/call', params, { within: 60000 });
    assert.deepEqual(JSON.parse(result.content[0].text), { stdout: `${i}\n`, stderr: '', exitCode: i % 7, timedOut: false });
  });
  return Promise.all(calls);
}

async function sharedIds(peer, era) {
  const params = era({ name: 'execute_command', arguments: { command: 'sleep 0.5; echo first' } });
  const from = peer.lines.length;
  peer.send({ jsonrpc: '2.0', id: 'twice', method: 'tools/call', params });
  peer.send({ jsonrpc: '2.0', id: 'twice', method: 'tools/call', params });
  await peer.next((message) => message?.id === 'twice' && message.error?.code === -32600, 'refusal of the second', 5000, from);
  await peer.next((message) => message?.id === 'twice' && message.result, 'answer to the first', 5000, from);
  for (const id of [0, -1, '', '0', 'é\n"', 4294967296]) {
    assert.ok((await peer.request('tools/list', era(), { id })).result);
  }
  peer.sendRaw(JSON.stringify({ jsonrpc: '2.0', id: 'big', method: 'tools/list', params: era() }).replace('"big"', '9007199254740993'));
  await peer.next((message) => message?.id === Number('9007199254740993'), 'answer to a large id');
  assert.ok(peer.lines.some(({ line }) => line.includes('"id":9007199254740993')));
}

describe('every line against the schema of its revision', () => {
  for (const revision of legacyRevisions) {
    test(`a session in ${revision}`, limit, () => session(revision, server, async (peer, schema) => {
      assert.deepEqual((await peer.request('ping')).result, {});
      assert.equal((await peer.request('tools/list')).error.code, -32602);
      const { result } = await peer.initialize(revision, { roots: {}, extensions: { x: {} } });
      assert.equal(result.protocolVersion, revision);
      assert.deepEqual((await peer.request('ping')).result, {});
      assert.equal((await peer.request('tools/list')).result.tools.length, 1);
      await commands(peer, inLegacy);
      await protocolErrors(peer, inLegacy);
      await brokenLines(peer);
      await sharedIds(peer, inLegacy);
      if (revision === '2025-03-26') await batches(peer);
      await progressAndCancel(peer, schema, inLegacy, revision);
      await many(peer, () => inLegacy, 150);
      for (const asked of ['2099-01-01', '2026-07-28', revision]) await peer.initialize(asked);
      assert.equal((await peer.request('tools/list')).result.tools.length, 1);
    }));
  }

  async function batches(peer) {
    const call = (id, command) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'execute_command', arguments: { command } } });
    const batch = [call('c1', 'echo one'), { jsonrpc: '2.0', method: 'notifications/initialized' }, call('c2', 'seq 1 400000'), 1,
      { jsonrpc: '2.0', id: 'c3', method: 'ping' }, { jsonrpc: '2.0', id: 'c4', method: 'no/such' },
      { jsonrpc: '2.0', id: 'c5', method: 'initialize', params: { protocolVersion: '2024-11-05', capabilities: {} } }];
    const from = peer.lines.length;
    peer.send(batch);
    const answers = await peer.next(Array.isArray, 'the answers to a batch', 20000, from);
    assert.deepEqual(answers.map((answer) => answer.id).sort(), ['c1', 'c2', 'c3', 'c4', 'c5', null].sort());
    peer.send([{ jsonrpc: '2.0', method: 'notifications/initialized' }, { jsonrpc: '2.0', method: 'notifications/x' }]);
  }

  test('a session in 2026-07-28', limit, () => session('2026-07-28', server, async (peer, schema) => {
    const discovered = await peer.request('server/discover', modern(), { id: 'server-discover-probe-1' });
    assert.ok(discovered.result.supportedVersions.includes('2026-07-28'));
    assert.equal((await peer.request('tools/list', modern())).result.tools.length, 1);
    const error = async (method, params) => (await peer.request(method, params)).error;
    for (const params of [undefined, {}, { _meta: {} }, { _meta: { ...modernMeta(), 'io.modelcontextprotocol/clientCapabilities': undefined } },
      { _meta: { ...modernMeta(), 'io.modelcontextprotocol/protocolVersion': 2026 } }, modern({}, {}, { 'io.modelcontextprotocol/logLevel': 'loud' })]) {
      assert.equal((await error('server/discover', params)).code, -32602, JSON.stringify(params));
    }
    for (const version of ['1900-01-01', '2025-11-25', 'v999']) {
      const params = modern({ name: 'execute_command', arguments: { command: 'true' } }, {}, { 'io.modelcontextprotocol/protocolVersion': version });
      const { code, data } = await error('tools/call', params);
      assert.deepEqual([code, data.requested], [-32022, version]);
    }
    for (const method of ['initialize', 'ping', 'resources/subscribe', 'resources/unsubscribe', 'tasks/result']) {
      assert.equal((await error(method, modern())).code, -32601, method);
    }
    await commands(peer, inModern);
    await protocolErrors(peer, inModern);
    await brokenLines(peer);
    await sharedIds(peer, inModern);
    for (const id of ['listen:0', 77, 'listen:1']) {
      peer.send({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: modern({ notifications: { toolsListChanged: true } }) });
      const isAcknowledged = (message) => message?.method === 'notifications/subscriptions/acknowledged' && message.params._meta['io.modelcontextprotocol/subscriptionId'] === id;
      await peer.next(isAcknowledged, `acknowledgement of ${id}`);
    }
    peer.notify('notifications/cancelled', { requestId: 77, _meta: modernMeta() });
    schema.forget(77);
    assert.equal((await error('subscriptions/listen', modern())).code, -32602);
    await progressAndCancel(peer, schema, inModern, 'modern');
    await many(peer, () => inModern, 150);
  }));

  test('a session that mixes both eras, request by request', limit, () => session('mixed', server, async (peer) => {
    await peer.request('server/discover', modern());
    await peer.request('tools/list', modern());
    await peer.initialize('2025-11-25');
    await peer.request('tools/list');
    await commands(peer, inModern);
    await commands(peer, inLegacy);
    await protocolErrors(peer, inModern);
    await protocolErrors(peer, inLegacy);
    await brokenLines(peer);
    await many(peer, (i) => (i % 2 ? inModern : inLegacy), 300);
  }));

  test('calls that run when the input ends', limit, () => session('end of input', server, async (peer) => {
    await peer.initialize('2025-11-25');
    await peer.request('tools/list');
    peer.send({ jsonrpc: '2.0', id: 'quick', method: 'tools/call', params: { name: 'execute_command', arguments: { command: 'sleep 0.3; echo done' } } });
    peer.send({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: modern({ name: 'execute_command', arguments: { command: 'echo begun; sleep 60' } }) });
    peer.send({ jsonrpc: '2.0', id: 'listen', method: 'subscriptions/listen', params: modern({ notifications: {} }) });
    const end = await peer.end();
    assert.ok(end.milliseconds < 2500, `${end.milliseconds} ms`);
    assert.equal((await peer.answer('quick')).result.structuredContent.stdout, 'done\n');
    assert.equal((await peer.answer('slow')).result.structuredContent.stdout, 'begun\n');
  }));

  test('questions to the user, in both eras', limit, async () => {
    for (const revision of ['2025-06-18', '2025-11-25']) {
      await session(`questions in ${revision}`, fixture, async (peer) => {
        await peer.initialize(revision, { elicitation: {} });
        await peer.request('tools/list');
        const replies = [{ result: { action: 'accept', content: { username: 'ada', email: 'ada@example.org' } } }, { result: { action: 'decline' } },
          { result: { action: 'cancel' } }, { error: { code: -32601, message: 'Method not found' } }, { result: { action: 'accept', content: { username: 5 } } }];
        for (const reply of replies) {
          const from = peer.lines.length;
          const call = peer.request('tools/call', { name: 'test_elicitation', arguments: { message: 'Who are you?' } });
          const question = await peer.next((message) => message?.method === 'elicitation/create', 'a question', 5000, from);
          peer.send({ jsonrpc: '2.0', id: question.id, ...reply });
          assert.ok((await call).result);
        }
        for (const name of ['test_simple_text', 'test_error_handling', 'test_tool_with_progress', 'test_logging_tool']) {
          await peer.request('tools/call', { name, _meta: { progressToken: name } });
        }
      });
    }
    await session('questions in 2026-07-28', fixture, async (peer) => {
      const form = { elicitation: { form: {} } };
      const call = (name, more, capabilities = form) => peer.request('tools/call', modern({ name, arguments: {}, ...more }, capabilities));
      await peer.request('tools/list', modern());
      const rounds = ['test_input_required_result_elicitation', 'test_input_required_result_request_state', 'test_input_required_result_multi_round',
        'test_input_required_result_tampered_state', 'test_input_required_result_capabilities', 'test_streaming_elicitation'];
      for (const name of rounds) {
        const first = (await call(name)).result;
        if (first?.resultType !== 'input_required') continue;
        const replies = Object.fromEntries(Object.keys(first.inputRequests ?? {}).map((key) => [key, { action: 'accept', content: { name: 'ada', ok: true } }]));
        const state = first.requestState && { requestState: first.requestState };
        await call(name, { inputResponses: replies, ...state });
        await call(name, { inputResponses: { unknown: { action: 'decline' } }, ...state });
        await call(name, { inputResponses: replies, requestState: `${first.requestState ?? 'x'}x` });
        await call(name, {}, {});
      }
      assert.equal((await call('test_missing_capability')).error.code, -32021);
      for (const name of ['test_simple_text', 'test_error_handling', 'test_tool_with_progress', 'test_logging_tool']) {
        await peer.request('tools/call', modern({ name, arguments: {} }, {}, { progressToken: name }));
      }
    });
  });

  test('enough lines were judged', (t) => {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    t.diagnostic(`note: ${total} lines validated against 5 schemas`);
    assert.ok(total > 1500, JSON.stringify(counts));
  });
});
