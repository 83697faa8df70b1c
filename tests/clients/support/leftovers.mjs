// Finds what a suite left running, by the mark that all its processes inherit (Linux; elsewhere it finds nothing).
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

function marked(mark) {
  if (process.platform !== 'linux') return [];
  const found = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`COWORK_TEST_MARK=${mark}`)) continue;
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
      if (words) found.push({ pid: Number(pid), words });
    } catch {
      // gone meanwhile
    }
  }
  return found;
}

// Waits at most `within` milliseconds for them to go, kills the rest and says what they were.
export async function endMarkedProcesses(mark, within) {
  const deadline = Date.now() + within;
  let left = marked(mark);
  while (left.length && Date.now() < deadline) {
    await delay(50);
    left = marked(mark);
  }
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // gone meanwhile
    }
  }
  return left.map(({ pid, words }) => `${pid} ${words.slice(0, 120)}`);
}
