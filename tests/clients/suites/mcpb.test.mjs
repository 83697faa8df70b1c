// The bundle for Claude Desktop, judged and unpacked by the official packer, started as its own manifest says.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ServerProcess } from '../support/server-process.mjs';
import { bundle, scratch } from '../support/under-test.mjs';

const limit = { timeout: 60000 };
const tool = join(import.meta.dirname, '..', 'node_modules', '@anthropic-ai', 'mcpb', 'dist', 'cli', 'cli.js');
const folder = join(scratch, 'un packed');

function mcpb(...args) {
  return new Promise((done) => {
    execFile(process.execPath, [tool, ...args], { timeout: 50000 }, (error, stdout, stderr) => done({ code: error ? (error.code ?? error.signal) : 0, text: stdout + stderr }));
  });
}

describe('the MCPB bundle', () => {
  test('unpacks', limit, async () => {
    const { code, text } = await mcpb('unpack', bundle, folder);
    assert.equal(code, 0, text);
  });

  test('has a manifest that the packer accepts', limit, async () => {
    const { code, text } = await mcpb('validate', join(folder, 'manifest.json'));
    assert.equal(code, 0, text);
    assert.doesNotMatch(text, /warning/i);
  });

  test('is packed again by the packer', limit, async () => {
    const { code, text } = await mcpb('pack', folder, join(scratch, 'again.mcpb'));
    assert.equal(code, 0, text);
    assert.ok(statSync(join(scratch, 'again.mcpb')).size > 100000);
  });

  test('starts from its own manifest entry', limit, async () => {
    const { server, version, tools } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    const inPlace = (text) => text.replaceAll('${__dirname}', folder);
    assert.equal(server.type, 'binary');
    assert.ok(statSync(join(folder, server.entry_point)).mode & 0o100);
    const { command, args, env } = server.mcp_config;
    assert.equal(inPlace(command), join(folder, server.entry_point));
    const peer = new ServerProcess(inPlace(command), args.map(inPlace), { env: { ...process.env, ...env } });
    const { result } = await peer.initialize('2025-11-25');
    assert.equal(result.serverInfo.version, version);
    const listed = await peer.request('tools/list');
    assert.deepEqual(listed.result.tools.map((each) => each.name), tools.map((each) => each.name));
    const called = await peer.request('tools/call', { name: 'execute_command', arguments: { command: 'echo bundled' } });
    assert.equal(called.result.structuredContent.stdout, 'bundled\n');
    assert.equal((await peer.end()).code, 0);
  });
});
