// node mixed-session.mjs PROGRAM: one process, both protocol eras, line by line, as a transcript.
import { ServerProcess, modern } from './support/server-process.mjs';

function shown(line) {
  const text = line.toString();
  return text.length > 400 ? `${text.slice(0, 300)} … ${text.slice(-60)} (${text.length} characters)` : text;
}

export async function mixedSession(program, print) {
  const observer = {
    sent: (message) => print(`→ ${shown(JSON.stringify(message))}`),
    received: (line) => print(`← ${shown(line)}`),
  };
  const peer = new ServerProcess(program, [], { observer });
  const says = (text) => print(`\n# ${text}`);
  const run = (command, more) => ({ name: 'execute_command', arguments: { command, ...more } });
  try {
    says('a client asks what the server speaks, before anything else');
    await peer.request('server/discover', modern(), { id: 'server-discover-probe-1' });
    says('stateless: a request that carries everything it needs');
    await peer.request('tools/call', modern(run('echo stateless')), { id: 0 });
    says('the handshake of 2025-11-25, on the same process');
    await peer.initialize('2025-11-25');
    await peer.request('ping', undefined, { id: 1 });
    says('a call of each era at once; the quick one is answered first');
    const slow = peer.request('tools/call', run('sleep 0.5; echo handshake'), { id: 2 });
    await peer.request('tools/call', modern(run('echo stateless; exit 3')), { id: 'quick' });
    await slow;
    says('versions and envelopes are judged per request');
    const version = { 'io.modelcontextprotocol/protocolVersion': '1900-01-01' };
    await peer.request('tools/list', modern({}, {}, version), { id: 3 });
    await peer.request('server/discover', {}, { id: 4 });
    await peer.request('ping', modern(), { id: 5 });
    await peer.request('ping', undefined, { id: 6 });
    says('a subscription stays open until the server ends it');
    peer.send({ jsonrpc: '2.0', id: 'listen:0', method: 'subscriptions/listen', params: modern({ notifications: { toolsListChanged: true } }) });
    await peer.next((message) => message?.method === 'notifications/subscriptions/acknowledged', 'the acknowledgement');
    says('refusals say what to change; the handshake may be repeated with another revision');
    await peer.request('tools/call', modern(run('pwd', { cwdd: '/tmp' })), { id: 7 });
    await peer.initialize('2025-03-26');
    await peer.request('tools/call', run('uname -s'), { id: 8 });
    says('input ends');
    const { code, milliseconds } = await peer.end();
    await peer.answer('listen:0');
    print(`exit code ${code} after ${milliseconds} ms`);
    return { code, lines: peer.lines };
  } finally {
    peer.child.kill('SIGKILL');
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  await mixedSession(process.argv[2], (line) => console.log(line));
}
