// A node:test reporter that writes one JSON line per finished test and per `note:` diagnostic.
function outcome(event) {
  if (event.data.skip !== undefined && event.data.skip !== false) return 'skipped';
  return event.type === 'test:pass' ? 'passed' : 'failed';
}

// A group that failed only because a test in it did would count that failure twice.
function failedByItself(event) {
  return event.type === 'test:fail' && event.data.details.error?.failureType !== 'subtestsFailed';
}

export default async function* eventReporter(source) {
  for await (const event of source) {
    if (event.type === 'test:diagnostic' && event.data.message.startsWith('note: ')) {
      yield `${JSON.stringify({ note: event.data.message.slice(6) })}\n`;
    }
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    if (event.data.details.type === 'suite' && !failedByItself(event)) continue;
    yield `${JSON.stringify({ name: event.data.name, outcome: outcome(event) })}\n`;
  }
}
