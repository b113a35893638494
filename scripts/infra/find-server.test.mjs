import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureNginx, ensureRedis, ensureRedisForTests, findRedis } from './find-server.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seckill-path-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function executable(name, script = 'exit 0') {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}
const installing = (name) => {
  const file = join(folder, name);
  return `[ "$1" = install ] && { echo '#!/bin/sh' > ${file}; /bin/chmod 755 ${file}; }; exit 0`;
};
const user = () => ({ path: folder, isRoot: false });
const root = () => ({ path: folder, isRoot: true });

it('[L1] redis-server on the PATH is used, valkey-server where there is no other', () => {
  executable('valkey-server', 'echo "Valkey server v=8.1.0 sha=0"');
  expect(findRedis(user())).toBe(join(folder, 'valkey-server'));
  executable('redis-server', 'echo "Redis server v=7.0.15 sha=0"');
  expect(findRedis(user())).toBe(join(folder, 'redis-server'));
});

it('[L1] a Redis that is too old is refused before anything else is done', () => {
  executable('redis-server', 'echo "Redis server v=6.2.14 sha=0"');
  expect(() => findRedis(user())).toThrow(
    `${join(folder, 'redis-server')} can't be used (it is version 6.2.14, and 7.0 is the oldest that will do): install a newer one, or set REDIS_URL.`,
  );
});

it('[L1] root on Debian gets it installed, in the run level in which packages start no servers', async () => {
  const seen = join(folder, 'seen');
  executable('apt-get', `echo "$RUNLEVEL $@" >> ${seen}; ${installing('redis-server')}`);
  const waits = [];
  expect(await ensureRedis({ ...root(), wait: (what) => waits.push(what()) })).toBe(
    join(folder, 'redis-server'),
  );
  expect(waits[0]).toMatch(/^Redis is being installed with apt-get/);
  expect(readFileSync(seen, 'utf8').trim().split('\n')).toEqual([
    '1 update',
    '1 install -y --no-install-recommends redis-server',
  ]);
});

it('[L1] who may not install it is told the one thing that can be done on this machine', async () => {
  const told = (message) => expect(() => findRedis(user())).toThrow(message);
  told('Redis is not installed: install Redis 7.0 or newer from https://redis.io, or set REDIS_URL.');
  executable('apk');
  told(
    'Redis is not installed: have an administrator run "apk add redis" and start again, or set REDIS_URL.',
  );
  executable('sudo');
  told('Redis is not installed: run "sudo apk add redis" and start again, or set REDIS_URL.');
  executable('dnf');
  told('run "sudo dnf install -y valkey" and start again');
  executable('apt-get', 'echo "E: Unable to locate package redis-server" >&2; exit 100');
  told('run "sudo apt-get install -y redis-server" and start again');
  await expect(ensureRedis(user())).rejects.toThrow('run "sudo apt-get install -y redis-server"');
  await expect(ensureRedis(root())).rejects.toThrow(
    'Redis could not be installed with apt-get: E: Unable to locate package redis-server. Install redis-server yourself, or set REDIS_URL.',
  );
});

it('[L1] the tests, which use no other server than their own, name no setting for one', async () => {
  await expect(ensureRedisForTests(user())).rejects.toThrow(/from https:\/\/redis\.io\.$/);
  executable('redis-server', 'echo "Redis server v=6.2.14 sha=0"');
  await expect(ensureRedisForTests(user())).rejects.toThrow(/install a newer one\.$/);
});

it('[G9] nginx is found and installed in the same way', async () => {
  executable('apt-get', installing('nginx'));
  await expect(ensureNginx(user())).rejects.toThrow(
    'nginx is not installed: have an administrator run "apt-get install -y nginx" and start again.',
  );
  expect(await ensureNginx(root())).toBe(join(folder, 'nginx'));
  expect(existsSync(join(folder, 'nginx'))).toBe(true);
});
