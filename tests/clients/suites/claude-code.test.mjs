// Claude Code registers the server and checks its health: the real first contact, in both ways of negotiation.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { pathWithThisNode } from '../support/packages.mjs';
import { scratch, server, until } from '../support/under-test.mjs';

const limit = { timeout: 100000 };
const launcher = join(dirname(createRequire(import.meta.url).resolve('@anthropic-ai/claude-code/package.json')), 'cli-wrapper.cjs');

// A home of its own, so that neither a login nor anybody's configuration plays a part.
function claude(home, args, extra = {}) {
  const env = {
    PATH: pathWithThisNode(),
    HOME: home,
    TMPDIR: home,
    LANG: 'C.UTF-8',
    SHLVL: '1',
    COWORK_TEST_MARK: process.env.COWORK_TEST_MARK,
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    ...extra,
  };
  return new Promise((done) => {
    const options = { cwd: home, env, timeout: 60000, killSignal: 'SIGKILL' };
    const child = execFile(process.execPath, [launcher, ...args], options, (error, stdout, stderr) => done({ code: error ? (error.code ?? error.signal) : 0, stdout, stderr }));
    child.stdin.end();
  });
}

function newHome(name) {
  const home = join(scratch, name);
  mkdirSync(home);
  return home;
}

const tracesOf = (home) => ({ input: join(home, 'input.log'), output: join(home, 'output.log') });

// Stands before the server and copies what passes.
function tracedServer(home) {
  const file = join(home, 'traced-server');
  const { input, output } = tracesOf(home);
  writeFileSync(file, `#!/bin/sh\ntee -a '${input}' | '${server}' --log-level off | tee -a '${output}'\n`);
  chmodSync(file, 0o755);
  return file;
}

// The copies are written by other processes, and end with whole lines once these are done.
async function readLines(file, count) {
  const read = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  await until(() => read().endsWith('\n') && read().split('\n').length > count, `${count} lines in ${file}`);
  return read().trim().split('\n').map((line) => JSON.parse(line));
}

const negotiations = [
  { name: 'auto', extra: { MCP_PROTOCOL_NEGOTIATION: 'auto' }, methods: ['server/discover', 'tools/list'] },
  { name: 'legacy', extra: { MCP_PROTOCOL_NEGOTIATION: 'legacy' }, methods: ['initialize', 'notifications/initialized', 'tools/list'] },
  { name: 'default', extra: {}, methods: ['server/discover', 'tools/list'] },
];

// The lines that the README tells people to type, with the path of the server under test.
function readmeCommands() {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const commands = readme.match(/^claude mcp add .*$/gm).map((line) => line.split(' ').slice(1));
  return commands.map((words) => words.map((word) => (word === '/usr/local/bin/cowork-terminal-mcp' ? server : word)));
}

describe('Claude Code', () => {
  test('adds, finds connected, removes', limit, async (t) => {
    const home = newHome('plain');
    const version = await claude(home, ['--version']);
    t.diagnostic(`note: ${version.stdout.trim()}`);
    const added = await claude(home, ['mcp', 'add', '-s', 'user', 'cowork-terminal', '--', server, '--log-level', 'off']);
    assert.equal(added.code, 0, added.stdout + added.stderr);
    for (const { name, extra } of negotiations) {
      const listed = await claude(home, ['mcp', 'list'], extra);
      assert.match(listed.stdout, /cowork-terminal: .*✔ Connected/, `${name}: ${listed.stdout}${listed.stderr}`);
    }
    const removed = await claude(home, ['mcp', 'remove', '-s', 'user', 'cowork-terminal']);
    assert.equal(removed.code, 0, removed.stdout + removed.stderr);
    assert.doesNotMatch((await claude(home, ['mcp', 'list'])).stdout, /cowork-terminal/);
  });

  test('takes the lines of the README', limit, async () => {
    const commands = readmeCommands();
    assert.equal(commands.length, 2);
    for (const [at, words] of commands.entries()) {
      const home = newHome(`readme-${at}`);
      const added = await claude(home, words);
      assert.equal(added.code, 0, added.stdout + added.stderr);
      const listed = await claude(home, ['mcp', 'list']);
      assert.match(listed.stdout, /cowork-terminal: .*✔ Connected/, listed.stdout + listed.stderr);
      const { mcpServers } = JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8'));
      assert.equal(mcpServers['cowork-terminal'].command, server);
      assert.deepEqual(mcpServers['cowork-terminal'].env, words.includes('-e') ? { NAME: 'value' } : {});
    }
  });

  for (const { name, extra, methods } of negotiations) {
    test(`negotiation ${name} speaks ${methods[0] === 'initialize' ? 'the handshake' : 'the stateless revision'}`, limit, async () => {
      const home = newHome(`traced-${name}`);
      await claude(home, ['mcp', 'add', 'cowork-terminal', '-s', 'user', '--', tracedServer(home)]);
      const listed = await claude(home, ['mcp', 'list'], extra);
      assert.match(listed.stdout, /✔ Connected/, listed.stdout + listed.stderr);
      const sent = await readLines(tracesOf(home).input, methods.length);
      assert.deepEqual(sent.map((message) => message.method), methods);
      const received = await readLines(tracesOf(home).output, sent.filter((message) => message.id !== undefined).length);
      assert.ok(received.every((message) => message.result), JSON.stringify(received));
      const tools = received.at(-1).result.tools;
      assert.equal(tools.length, 1);
      assert.equal(tools[0]._meta['anthropic/alwaysLoad'], true);
    });
  }
});
