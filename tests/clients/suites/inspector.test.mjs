// The official Inspector's command line, in both eras.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathWithThisNode } from '../support/packages.mjs';
import { server } from '../support/under-test.mjs';

const limit = { timeout: 60000 };
const launcher = join(import.meta.dirname, '..', 'node_modules', '@modelcontextprotocol', 'inspector', 'clients', 'launcher', 'build', 'index.js');

function inspect(era, ...args) {
  const words = [launcher, '--cli', server, '--protocol-era', era, '--format', 'json', ...args];
  const options = { env: { ...process.env, PATH: pathWithThisNode() }, timeout: 50000, maxBuffer: 64 << 20 };
  return new Promise((done) => {
    execFile(process.execPath, words, options, (error, stdout, stderr) => done({ code: error ? error.code : 0, stdout, stderr }));
  });
}

for (const era of ['legacy', 'modern']) {
  describe(`Inspector, ${era}`, () => {
    test('tools/list --strict finds no error', limit, async (t) => {
      const { code, stdout, stderr } = await inspect(era, '--method', 'tools/list', '--strict');
      assert.equal(code, 0, stderr);
      assert.deepEqual(JSON.parse(stdout).result.tools.map((tool) => tool.name), ['execute_command']);
      const findings = stderr.match(/\d+ errors?, \d+ warnings? across .*/)?.[0];
      t.diagnostic(`note: ${era}, strict: ${findings ?? 'no findings'}`);
    });

    test('tools/call', limit, async () => {
      const args = JSON.stringify({ command: 'echo "from $0"; exit 3', timeout: 5000, env: { A: 'b' } });
      const { code, stdout, stderr } = await inspect(era, '--method', 'tools/call', '--tool-name', 'execute_command', '--tool-args-json', args);
      assert.equal(code, 0, stderr);
      const { structuredContent, isError } = JSON.parse(stdout).result;
      assert.equal(isError ?? false, false);
      assert.match(structuredContent.stdout, /^from .*bash\n$/);
      assert.equal(structuredContent.exitCode, 3);
    });

    test('a refused call is an error result, exit code 5', limit, async () => {
      const { code, stdout } = await inspect(era, '--method', 'tools/call', '--tool-name', 'execute_command', '--tool-args-json', '{"command":" "}');
      assert.equal(code, 5);
      assert.match(stdout, /command/);
    });
  });
}
