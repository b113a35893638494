#!/usr/bin/env node
/**
 * Adds the optional packages of other platforms to package-lock.json. npm leaves out those that its registry does not
 * carry, and then refuses `npm ci` everywhere because the lock is not complete. Run it after changing dependencies;
 * it changes nothing if no entry is missing. New entries get no checksum, since the package was never downloaded.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'package-lock.json';
const SYSTEMS = [
  'darwin',
  'linux',
  'win32',
  'freebsd',
  'openbsd',
  'netbsd',
  'android',
  'sunos',
  'aix',
  'openharmony',
];
const CPUS = ['x64', 'arm64', 'arm', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'mips64el', 'wasm32'];
const ALIASES = {
  windows: 'win32',
  'arm-gnueabihf': 'arm',
  'arm-musleabihf': 'arm',
  armv7: 'arm',
  universal: undefined,
};

const lock = JSON.parse(readFileSync(FILE, 'utf8'));

/** Returns where Node would find `name` from the package at `from`, if the lock has it. */
function find(from, name) {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const path =
      base === '' || !base.includes('node_modules') ? `node_modules/${name}` : `${base}/node_modules/${name}`;
    if (lock.packages[path]) return path;
    if (path === `node_modules/${name}`) return undefined;
    if (!base.includes('/node_modules/')) base = '';
  }
}

/** Guesses the platform fields from the name of such a package; a wrong guess only means that npm looks at the package. */
function platformOf(name) {
  const words = name.split(/[/-]/).map((word) => (word in ALIASES ? ALIASES[word] : word));
  const os = name === 'fsevents' ? 'darwin' : words.find((word) => SYSTEMS.includes(word));
  const cpu = words.find((word) => CPUS.includes(word));
  const libc = /musl/.test(name) ? 'musl' : /gnu/.test(name) && os === 'linux' ? 'glibc' : undefined;
  return {
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(libc ? { libc: [libc] } : {}),
    ...(os ? { os: [os] } : {}),
  };
}

const added = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (find(path, name)) continue;
    const location = `node_modules/${name}`;
    lock.packages[location] = {
      version: range.replace(/^[\^~]/, ''),
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
      ...platformOf(name),
    };
    added.push(name);
  }
}
if (added.length > 0) {
  const [root, ...rest] = Object.entries(lock.packages);
  lock.packages = Object.fromEntries([root, ...rest.sort(([a], [b]) => (a < b ? -1 : 1))]);
  writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
}
console.log(added.length > 0 ? `added to ${FILE}: ${added.join(', ')}` : `${FILE} is complete`);
