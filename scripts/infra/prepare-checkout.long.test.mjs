import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

/** Plays npm: leaves the files of `npm ci`, with a Prisma that leaves a generated client. Each notes that it ran. */
const NPM = `
  const fs = require('node:fs');
  fs.appendFileSync('ran', 'npm ');
  fs.mkdirSync('node_modules/prisma/build', { recursive: true });
  fs.writeFileSync('node_modules/prisma/package.json', '{}');
  fs.writeFileSync('node_modules/prisma/build/index.js', "const fs = require('node:fs'); fs.appendFileSync('ran', 'prisma '); fs.mkdirSync('prisma/generated', { recursive: true });");`;
const NO_NETWORK =
  "console.error('npm error code ENOTFOUND\\nnpm error network request failed'); process.exit(1)";
const NO_SPACE = "console.error('npm error ENOSPC: no space left on device, write'); process.exit(228)";

let root;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'seckill-checkout-'));
  writeFileSync(
    join(root, 'package-lock.json'),
    JSON.stringify({ packages: { 'node_modules/prisma': { version: '1' } } }),
  );
  mkdirSync(join(root, 'prisma'));
  writeFileSync(join(root, 'prisma', 'schema.prisma'), '');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function prepare(npm) {
  const cli = join(root, 'npm-cli.js');
  writeFileSync(cli, npm);
  const code = `
    import { prepareCheckout } from ${JSON.stringify(join(import.meta.dirname, 'prepare-checkout.mjs'))};
    await prepareCheckout(${JSON.stringify(root)});
    console.log('prepared');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...process.env, npm_execpath: cli },
  });
  return new Promise((resolve) => {
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    child.once('close', (status) => resolve({ status, said }));
  });
}
const ran = () => readFileSync(join(root, 'ran'), 'utf8');

it('[L1] on a fresh checkout a command installs and generates what it needs, and says so; later it is silent', async () => {
  expect(await prepare(NPM)).toEqual({
    status: 0,
    said: 'Installing what this checkout lacks …\nprepared\n',
  });
  expect(ran()).toBe('npm prisma ');
  expect(await prepare(NPM)).toEqual({ status: 0, said: 'prepared\n' });
  expect(ran()).toBe('npm prisma ');
});

it('[L1] two that begin at the same moment install once', async () => {
  const both = await Promise.all([prepare(NPM), prepare(NPM)]);
  expect(both.map(({ status }) => status)).toEqual([0, 0]);
  expect(ran()).toBe('npm prisma ');
});

it('[L1] without a network, or on a full disk, it ends with the one thing to do', async () => {
  const offline = await prepare(NO_NETWORK);
  expect(offline.status).toBe(2);
  expect(offline.said).toMatch(
    /The dependencies could not be installed: network request failed\. Check the network and run "npm ci"\.\n$/,
  );
  const full = await prepare(NO_SPACE);
  expect(full.status).toBe(2);
  expect(full.said).toMatch(/The disk with \S+ is full: free some space there and start again/);
});

it('[L1] it leaves packages alone that a shop may run on, and says that they are not those of package-lock.json', async () => {
  await prepare(NPM);
  writeFileSync(
    join(root, 'package-lock.json'),
    JSON.stringify({ packages: { 'node_modules/prisma': { version: '2' } } }),
  );
  const { status, said } = await prepare(NPM);
  expect(status).toBe(0);
  expect(said).toMatch(/^node_modules is not what package-lock\.json names; .*\nprepared\n$/);
  expect(ran()).toBe('npm prisma ');
});

it('[L1] packages that only developers need may be missing', async () => {
  await prepare(NPM);
  const installed = { 'node_modules/prisma': { version: '1' } };
  const write = (file, packages) => writeFileSync(join(root, file), JSON.stringify({ packages }));
  write('package-lock.json', { ...installed, 'node_modules/vitest': { version: '1', dev: true } });
  write('node_modules/.package-lock.json', installed);
  expect(await prepare(NPM)).toEqual({ status: 0, said: 'prepared\n' });
  expect(ran()).toBe('npm prisma ');
  write('node_modules/.package-lock.json', {});
  expect((await prepare(NPM)).said).toContain('node_modules is not what');
});
