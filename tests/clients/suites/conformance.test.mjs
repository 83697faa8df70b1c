// The official conformance suite, every server scenario of a revision, through the HTTP bridge.
// A scenario may fail only what the revision's baseline file lists, and must fail all of that.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startBridge } from '../support/http-bridge.mjs';
import { pathWithThisNode } from '../support/packages.mjs';
import { fixture, scratch, server } from '../support/under-test.mjs';

const folder = join(import.meta.dirname, '..');
const tool = join(folder, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');

function runOfficialTool(url, revision, baseline, output) {
  const words = [tool, 'server', '--url', url, '--suite', 'all', '--spec-version', revision, '--expected-failures', baseline, '-o', output];
  const options = { env: { ...process.env, PATH: pathWithThisNode() }, timeout: 120000, maxBuffer: 64 << 20 };
  return new Promise((done) => {
    execFile(process.execPath, words, options, (error, stdout) => done({ code: error ? (error.code ?? error.signal) : 0, stdout }));
  });
}

// The part that names what was not expected, without colours.
function relevant(text) {
  const plain = text.replace(/\x1b\[\d+m/g, '');
  return plain.slice(plain.search(/Stale baseline|Unexpected failures/));
}

function readChecks(output) {
  const scenarios = new Map();
  for (const name of readdirSync(output)) {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
    scenarios.set(scenario, JSON.parse(readFileSync(join(output, name, 'checks.json'), 'utf8')));
  }
  return scenarios;
}

function tally(checks) {
  const count = (status) => checks.filter((check) => check.status === status).length;
  return { passed: count('SUCCESS'), failed: count('FAILURE'), warnings: count('WARNING') };
}

const runs = [
  { who: 'product', program: server, revision: '2025-06-18' },
  { who: 'product', program: server, revision: '2025-11-25' },
  { who: 'product', program: server, revision: '2026-07-28' },
  { who: 'fixture', program: fixture, revision: '2025-06-18' },
  { who: 'fixture', program: fixture, revision: '2025-11-25' },
  { who: 'fixture', program: fixture, revision: '2026-07-28' },
];

const mustPass = {
  product: {
    '2025-06-18': ['server-initialize', 'ping', 'tools-list'],
    '2025-11-25': ['server-initialize', 'ping', 'tools-list'],
    '2026-07-28': ['tools-list', 'input-required-result-unsupported-methods'],
  },
  fixture: {
    '2025-06-18': ['tools-call-simple-text', 'tools-call-error', 'tools-call-with-progress', 'tools-call-elicitation'],
    '2025-11-25': ['tools-call-simple-text', 'tools-call-error', 'tools-call-with-progress', 'tools-call-elicitation',
      'elicitation-sep1034-defaults', 'elicitation-sep1330-enums', 'json-schema-2020-12'],
    '2026-07-28': ['server-stateless', 'tools-call-simple-text', 'tools-call-error', 'tools-call-with-progress', 'json-schema-2020-12',
      ...['basic-elicitation', 'request-state', 'multi-round', 'missing-input-response', 'result-type', 'unsupported-methods',
        'tampered-state', 'ignore-extra-params', 'validate-input'].map((name) => `input-required-result-${name}`)],
  },
};

for (const { who, program, revision } of runs) {
  describe(`conformance of the ${who} at ${revision}`, () => {
    const baseline = join(folder, 'conformance', `${who}-${revision}.yml`);
    let scenarios;

    test('fails exactly what its baseline lists', { timeout: 150000 }, async (t) => {
      const output = join(scratch, `${who}-${revision}`);
      const bridge = await startBridge(program);
      const { code, stdout } = await runOfficialTool(bridge.url, revision, baseline, output).finally(() => bridge.close());
      scenarios = readChecks(output);
      const all = tally([...scenarios.values()].flat());
      const listed = readFileSync(baseline, 'utf8').match(/^ {2}- /gm)?.length ?? 0;
      t.diagnostic(`note: ${who} ${revision}: ${all.passed} checks passed, ${listed} cannot apply`);
      assert.equal(code, 0, relevant(stdout));
    });

    test('gives a reason for every line of the baseline', () => {
      const entries = readFileSync(baseline, 'utf8').split('\n').filter((line) => line.startsWith('  - '));
      for (const entry of entries) assert.match(entry, /^ {2}- \S+ +# \S.{9,}/);
    });

    test('writes nothing that the schema of the revision forbids', () => {
      const checks = [...scenarios.values()].flat().filter((check) => check.id === 'wire-schema-valid');
      assert.ok(checks.length > 10);
      assert.deepEqual(checks.filter((check) => check.status !== 'SUCCESS'), []);
    });

    for (const name of mustPass[who][revision]) {
      test(name, (t) => {
        const checks = scenarios?.get(name);
        assert.ok(checks, 'the scenario did not run');
        const { passed, failed, warnings } = tally(checks);
        const wrong = checks.filter((check) => !['SUCCESS', 'SKIPPED', 'INFO'].includes(check.status));
        assert.deepEqual(wrong, []);
        assert.ok(passed > 0);
        if (name === 'server-stateless') {
          assert.equal(passed, 28);
          t.diagnostic(`note: ${who} ${name} ${passed}/${passed + failed + warnings}`);
        }
      });
    }
  });
}
