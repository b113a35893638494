import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findNginx, findRedis } from './find-server.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seckill-path-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function executable(name, script = 'exit 0') {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

it('[L1] redis-server on the PATH is used, valkey-server where there is no other', () => {
  executable('valkey-server');
  expect(findRedis({ path: folder, isRoot: false })).toBe(join(folder, 'valkey-server'));
  executable('redis-server');
  expect(findRedis({ path: folder, isRoot: false })).toBe(join(folder, 'redis-server'));
});

it('[L1] root on Debian gets it installed, in the run level in which packages start no servers', () => {
  const seen = join(folder, 'seen');
  const server = join(folder, 'redis-server');
  executable(
    'apt-get',
    `echo "$RUNLEVEL $@" >> ${seen}; [ "$1" = install ] && { echo > ${server}; /bin/chmod 755 ${server}; }; exit 0`,
  );
  const said = [];
  const found = findRedis({ path: folder, isRoot: true, say: (line) => said.push(line) });
  expect(found).toBe(server);
  expect(said).toHaveLength(1);
  expect(readFileSync(seen, 'utf8').trim().split('\n')).toEqual([
    '1 update',
    '1 install -y --no-install-recommends redis-server',
  ]);
});

it('[L1] who may not install it is told the one command', () => {
  executable('apt-get', 'exit 100');
  expect(() => findRedis({ path: folder, isRoot: false })).toThrow(
    'Redis is not installed: run "sudo apt-get install -y redis-server" and start again, or set REDIS_URL.',
  );
  expect(() => findRedis({ path: folder, isRoot: true })).toThrow(/could not be installed with apt-get/);
});

it('[G9] nginx is found and installed in the same way', () => {
  executable(
    'apt-get',
    `[ "$1" = install ] && { echo > ${join(folder, 'nginx')}; /bin/chmod 755 ${join(folder, 'nginx')}; }; exit 0`,
  );
  expect(() => findNginx({ path: folder, isRoot: false })).toThrow(
    'nginx is not installed: run "sudo apt-get install -y nginx" and start again.',
  );
  expect(findNginx({ path: folder, isRoot: true })).toBe(join(folder, 'nginx'));
});
