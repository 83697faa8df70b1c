// The transcript of mixed-session.mjs, with the answers that it must hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mixedSession } from '../mixed-session.mjs';
import { server } from '../support/under-test.mjs';

test('one process serves both eras, request by request', { timeout: 30000 }, async () => {
  const transcript = [];
  const { code, lines } = await mixedSession(server, (line) => transcript.push(line));
  const answer = (id) => lines.map(({ message }) => message).filter((message) => message.id === id);
  console.log(transcript.join('\n'));
  assert.equal(code, 0);
  for (const { message } of lines) {
    if (message.id !== undefined) assert.equal(answer(message.id).length >= 1, true);
  }
  assert.ok(answer('server-discover-probe-1')[0].result.supportedVersions.includes('2026-07-28'));
  assert.equal(answer(0)[0].result.resultType, 'complete');
  assert.deepEqual(answer(1)[0].result, {});
  assert.equal(answer(2)[0].result.resultType, undefined);
  assert.equal(answer(2)[0].result.structuredContent.stdout, 'handshake\n');
  assert.equal(answer('quick')[0].result.structuredContent.exitCode, 3);
  const position = (id) => lines.findIndex(({ message }) => message.id === id);
  assert.ok(position('quick') < position(2));
  assert.equal(answer(3)[0].error.code, -32022);
  assert.equal(answer(4)[0].error.code, -32602);
  assert.equal(answer(5)[0].error.code, -32601);
  assert.deepEqual(answer(6)[0].result, {});
  assert.equal(answer(7)[0].result.isError, true);
  assert.equal(answer(8)[0].result.structuredContent, undefined);
  assert.equal(answer('listen:0')[0].result.resultType, 'complete');
});
