// What run.mjs hands to every suite.
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

export const server = process.env.COWORK_TEST_SERVER;
export const fixture = process.env.COWORK_TEST_FIXTURE;
export const bundle = process.env.COWORK_TEST_BUNDLE;
export const scratch = process.env.HOME;

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

// Polls: there is no event for another process's files and children.
export async function until(condition, what, within = 5000) {
  const deadline = Date.now() + within;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`not within ${within} ms: ${what}`);
    await delay(10);
  }
}

export function untilFile(path, within = 5000) {
  return until(() => existsSync(path) && readFileSync(path, 'utf8').endsWith('\n') && readFileSync(path, 'utf8'), path, within);
}

// A command that makes a tree of three processes, two of them hidden from its shell, and writes their pids to `file`.
export function treeCommand(file) {
  return `sleep 300 & a=$!; setsid sleep 300 & b=$!; (setsid sleep 300 & echo $! > '${file}.c'); echo $$ $a $b $(cat '${file}.c') > '${file}'; wait`;
}

export async function treePids(file) {
  return (await untilFile(file)).trim().split(' ').map(Number);
}

export async function treeGone(pids, within = 4000) {
  await until(() => pids.every((pid) => !isAlive(pid)), `end of processes ${pids.join(' ')}`, within);
}
