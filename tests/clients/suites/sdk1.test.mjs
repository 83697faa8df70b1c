// @modelcontextprotocol/sdk 1.x, the client line that most hosts ship: legacy handshake only.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { isAlive, scratch, server, treeCommand, treeGone, treePids, until, untilFile } from '../support/under-test.mjs';

const limit = { timeout: 40000 };
let client;
let transport;
const errors = [];

before(async () => {
  client = new Client({ name: 'client-tests', version: '1' }, { capabilities: {} });
  client.onerror = (error) => errors.push(String(error.message));
  transport = new StdioClientTransport({ command: server, env: process.env, stderr: 'ignore' });
  await client.connect(transport);
}, limit);

after(() => client.close());

async function run(args, options) {
  const result = await client.callTool({ name: 'execute_command', arguments: args }, undefined, options);
  assert.equal(result.isError ?? false, false, JSON.stringify(result.content));
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent;
}

describe('SDK 1.x over stdio', () => {
  test('connects, and the server says who it is', limit, () => {
    assert.equal(client.getServerVersion().name, 'cowork-terminal-mcp');
    assert.deepEqual(client.getServerCapabilities(), { tools: {} });
    assert.ok(client.getInstructions().length > 0);
  });

  test('ping', limit, () => client.ping());

  test('lists exactly one tool', limit, async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name), ['execute_command']);
    assert.deepEqual(tools[0].inputSchema.required, ['command']);
    assert.equal(tools[0].inputSchema.additionalProperties, false);
  });

  test('a here-document of 50 lines arrives line by line', limit, async () => {
    const lines = Array.from({ length: 50 }, (_, i) => `line ${i + 1}\t"q" 'r' \\n $X \`y\` é 漢字`);
    const command = `cat <<'EOF'\n${lines.join('\n')}\nEOF\necho after`;
    assert.equal((await run({ command })).stdout, `${lines.join('\n')}\nafter\n`);
  });

  test('an invalid byte becomes U+FFFD', limit, async () => {
    assert.deepEqual(await run({ command: String.raw`printf '\xff'` }), { stdout: '\ufffd', stderr: '', exitCode: 0, timedOut: false });
  });

  test('2.6 MB of numbers are cut at exactly 1 MiB', limit, async () => {
    const all = Array.from({ length: 400000 }, (_, i) => `${i + 1}\n`).join('');
    const head = all.slice(0, 1048576);
    const expected = `${head}${head.endsWith('\n') ? '' : '\n'}[stdout truncated at 1MB]`;
    const { stdout, exitCode } = await run({ command: 'seq 1 400000' });
    assert.equal(exitCode, 0);
    assert.ok(stdout === expected, `${stdout.length} characters, ending in ${JSON.stringify(stdout.slice(-60))}`);
  });

  test('a command that fails is a result, not an error', limit, async () => {
    const result = await run({ command: 'echo out; echo err >&2; exit 3' });
    assert.deepEqual(result, { stdout: 'out\n', stderr: 'err\n', exitCode: 3, timedOut: false });
  });

  test('a command that is no command', limit, async () => {
    const result = await run({ command: 'no_such_command_here' });
    assert.equal(result.exitCode, 127);
    assert.match(result.stderr, /no_such_command_here/);
  });

  test('the shell killed by a signal', limit, async () => {
    assert.deepEqual(await run({ command: 'kill -9 $$' }), { stdout: '', stderr: '', exitCode: 137, timedOut: false, signal: 'SIGKILL' });
  });

  test('cwd and env', limit, async () => {
    const folder = join(scratch, "a b 'c' ñ");
    mkdirSync(folder);
    const result = await run({ command: 'pwd; echo "$GREETING"', cwd: folder, env: { GREETING: 'grüß "dich"' } });
    assert.equal(result.stdout, `${folder}\ngrüß "dich"\n`);
  });

  test('an argument that the schema does not know is refused by name', limit, async () => {
    const result = await client.callTool({ name: 'execute_command', arguments: { command: 'touch refused', cwdd: scratch } });
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, /cwdd/);
    assert.equal(existsSync(join(scratch, 'refused')), false);
  });

  test('an unknown tool is a protocol error', limit, async () => {
    await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), { code: -32602 });
  });

  // Each command ends only when all ten have begun, so this cannot pass one after the other.
  test('ten calls at once run at once, and each gets its own answer', limit, async () => {
    const folder = join(scratch, 'ten');
    mkdirSync(folder);
    const command = (i) => `touch ${i}; until [ $(ls | wc -l) -eq 10 ]; do sleep 0.02; done; echo answer ${i}; exit ${i}`;
    const calls = Array.from({ length: 10 }, (_, i) => run({ command: command(i), cwd: folder }));
    const results = await Promise.all(calls);
    results.forEach((result, i) => assert.deepEqual([result.stdout, result.exitCode], [`answer ${i}\n`, i]));
  });

  test('progress comes every five seconds and ends with the answer', limit, async () => {
    const seen = [];
    const result = await run({ command: 'echo begun; sleep 11; echo done' }, { onprogress: (progress) => seen.push(progress) });
    assert.equal(result.stdout, 'begun\ndone\n');
    assert.deepEqual(seen.map((progress) => progress.progress), [5, 10]);
    assert.match(seen[0].message, /running for 5 s/);
    assert.equal(seen[0].total, undefined);
  });

  test('a cancelled call takes its whole tree with it', limit, async () => {
    const file = join(scratch, 'cancelled');
    const abort = new AbortController();
    const call = run({ command: treeCommand(file) }, { signal: abort.signal });
    const ended = assert.rejects(call);
    const pids = await treePids(file);
    assert.ok(pids.every(isAlive));
    abort.abort('no longer wanted');
    await ended;
    await treeGone(pids);
    await client.ping();
  });

  test('a client that stops waiting ends the command', limit, async () => {
    const file = join(scratch, 'timed-out');
    await assert.rejects(run({ command: treeCommand(file) }, { timeout: 1500 }), { code: -32001 });
    await treeGone(await treePids(file));
    await client.ping();
  });

  test('a command that outlives its timeout is answered with what it printed', limit, async () => {
    const file = join(scratch, 'own-timeout');
    const result = await run({ command: `echo partial; echo err >&2; ${treeCommand(file)}`, timeout: 1000 });
    assert.deepEqual([result.stdout, result.exitCode, result.timedOut], ['partial\n', null, true]);
    assert.match(result.stderr, /^err\n/);
    await treeGone(await treePids(file), 1000);
  });

  test('a background process does not hold the answer', limit, async () => {
    const file = join(scratch, 'background');
    const result = await run({ command: `sleep 20 & echo $! > '${file}'; echo started` });
    assert.equal(result.stdout, 'started\n');
    const pid = Number(await untilFile(file));
    assert.ok(isAlive(pid));
    process.kill(pid);
    await treeGone([pid]);
  });

  test('closing ends the server with exit code 0', limit, async () => {
    const child = transport._process;
    await client.close();
    await until(() => child.exitCode !== null || child.signalCode !== null, 'end of the server', 3000);
    assert.deepEqual([child.exitCode, child.signalCode], [0, null]);
    assert.deepEqual(errors, []);
  });
});
