// @modelcontextprotocol/client 2.x, the client line that knows both eras, in each of its three modes.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { fixture, isAlive, scratch, server, treeCommand, treeGone, treePids } from '../support/under-test.mjs';

const limit = { timeout: 40000 };
const modes = [
  { mode: 'legacy', negotiation: 'legacy', era: 'legacy' },
  { mode: 'auto', negotiation: 'auto', era: 'modern' },
  { mode: 'pin', negotiation: { pin: '2026-07-28' }, era: 'modern' },
];

async function connect(command, negotiation, answerQuestion) {
  const capabilities = answerQuestion ? { elicitation: { form: {} } } : {};
  const client = new Client({ name: 'client-tests', version: '1' }, { versionNegotiation: { mode: negotiation }, capabilities });
  const errors = [];
  client.onerror = (error) => errors.push(String(error.message));
  if (answerQuestion) client.setRequestHandler('elicitation/create', answerQuestion);
  await client.connect(new StdioClientTransport({ command, env: process.env, stderr: 'ignore' }));
  return { client, errors };
}

for (const { mode, negotiation, era } of modes) {
  describe(`client 2.x, ${mode}`, () => {
    let client;
    let errors;
    before(async () => ({ client, errors } = await connect(server, negotiation)), limit);
    after(() => client.close());

    async function run(args, options) {
      const result = await client.callTool({ name: 'execute_command', arguments: args }, options);
      assert.equal(result.isError ?? false, false, JSON.stringify(result.content));
      assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
      return result.structuredContent;
    }

    test('speaks the expected era', limit, () => {
      assert.equal(client.getProtocolEra(), era);
      assert.equal(client.getServerVersion().name, 'cowork-terminal-mcp');
    });

    test('lists exactly one tool', limit, async () => {
      const { tools } = await client.listTools();
      assert.deepEqual(tools.map((tool) => tool.name), ['execute_command']);
    });

    test('calls', limit, async () => {
      assert.deepEqual(await run({ command: 'echo out; echo err >&2; exit 3' }), { stdout: 'out\n', stderr: 'err\n', exitCode: 3, timedOut: false });
    });

    test('a refused argument is an error result', limit, async () => {
      const result = await client.callTool({ name: 'execute_command', arguments: { command: 'true', timeout: -1 } });
      assert.equal(result.isError, true);
      assert.match(result.content[0].text, /timeout/);
    });

    test('ten calls at once, each with its own answer', limit, async () => {
      const results = await Promise.all(Array.from({ length: 10 }, (_, i) => run({ command: `echo ${i}; exit ${i}` })));
      results.forEach((result, i) => assert.deepEqual([result.stdout, result.exitCode], [`${i}\n`, i]));
    });

    test('a full result of both streams', limit, async () => {
      const result = await run({ command: 'yes out | head -c 2000000; yes err | head -c 2000000 >&2' });
      assert.equal(result.stdout, `${'out\n'.repeat(262144)}[stdout truncated at 1MB]`);
      assert.equal(result.stderr, `${'err\n'.repeat(262144)}[stderr truncated at 1MB]`);
    });

    test('progress', limit, async () => {
      const seen = [];
      await run({ command: 'sleep 6' }, { onprogress: (progress) => seen.push(progress) });
      assert.deepEqual(seen.map((progress) => progress.progress), [5]);
    });

    test('a cancelled call takes its whole tree with it', limit, async () => {
      const file = join(scratch, `cancelled-${mode}`);
      const abort = new AbortController();
      const ended = assert.rejects(run({ command: treeCommand(file) }, { signal: abort.signal }));
      const pids = await treePids(file);
      assert.ok(pids.every(isAlive));
      abort.abort('no longer wanted');
      await ended;
      await treeGone(pids);
      assert.equal((await run({ command: 'echo next' })).stdout, 'next\n');
    });

    test('a client that stops waiting ends the command', limit, async () => {
      const file = join(scratch, `timed-out-${mode}`);
      await assert.rejects(run({ command: treeCommand(file) }, { timeout: 1500 }), /timed out/i);
      await treeGone(await treePids(file));
      assert.equal((await run({ command: 'echo next' })).stdout, 'next\n');
    });

    test('nothing reached the client unasked', limit, () => assert.deepEqual(errors, []));
  });

  describe(`client 2.x, ${mode}, asked by the fixture`, () => {
    const tool = era === 'legacy' ? 'test_elicitation' : 'test_input_required_result_elicitation';
    const args = era === 'legacy' ? { message: 'Who are you?' } : {};
    const content = era === 'legacy' ? { username: 'ada', email: 'ada@example.org' } : { name: 'ada' };

    async function ask(answer) {
      const questions = [];
      const { client } = await connect(fixture, negotiation, (request) => {
        questions.push(request.params);
        return answer;
      });
      try {
        return { questions, result: await client.callTool({ name: tool, arguments: args }, { timeout: 15000 }) };
      } finally {
        await client.close();
      }
    }

    test('an accepted question reaches the tool', limit, async () => {
      const { questions, result } = await ask({ action: 'accept', content });
      assert.equal(questions.length, 1);
      assert.ok(Object.keys(questions[0].requestedSchema.properties).includes(Object.keys(content)[0]));
      assert.equal(result.isError ?? false, false);
      assert.match(result.content[0].text, /ada/);
    });

    // The fixture may answer a refusal as it likes, but the call has to end.
    for (const action of ['decline', 'cancel']) {
      test(`a question answered by ${action} ends the call`, limit, async () => {
        const { questions, result } = await ask({ action });
        assert.equal(questions.length, 1);
        assert.doesNotMatch(result.content[0].text, /ada/);
      });
    }
  });
}
