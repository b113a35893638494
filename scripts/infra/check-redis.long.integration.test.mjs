import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from '../../deploy/nginx/testing/self-signed';
import { checkRedis } from './check-redis.mjs';
import { checkServers } from './check-servers.mjs';
import { findRedis } from './find-server.mjs';
import { anyFreePort } from './ports.mjs';
import { startRedis } from './redis.mjs';

const dir = mkdtempSync(join(tmpdir(), 'seckill-check-redis-'));
const stops = [];
let port;
let tlsPort;
let admin;

async function start(settings = {}) {
  const own = await anyFreePort();
  const name = join(dir, String(own));
  const server = await startRedis({
    binary: findRedis(),
    dir: name,
    port: own,
    logFile: `${name}.log`,
    settings: { save: '', ...settings },
  });
  stops.push(server.stop);
  return own;
}

beforeAll(async () => {
  const { certificate, key } = selfSigned(['localhost']);
  writeFileSync(join(dir, 'cert.pem'), certificate);
  writeFileSync(join(dir, 'key.pem'), key);
  tlsPort = await anyFreePort();
  port = await start({
    'tls-port': tlsPort,
    'tls-cert-file': join(dir, 'cert.pem'),
    'tls-key-file': join(dir, 'key.pem'),
    'tls-ca-cert-file': join(dir, 'cert.pem'),
    'tls-auth-clients': 'no',
  });
  admin = new Redis(port);
});
afterEach(async () => {
  await admin.config('SET', 'requirepass', '');
  await admin.replicaof('NO', 'ONE');
  expect(await admin.dbsize()).toBe(0);
});
afterAll(async () => {
  admin.disconnect();
  await Promise.all(stops.map((stop) => stop()));
  rmSync(dir, { recursive: true, force: true });
});

const at = (rest = '', scheme = 'redis') => `${scheme}://${rest}`;
const host = () => `127.0.0.1:${port}`;
/** Returns the reason, which stands between the brackets of the one sentence. */
async function refusal(url) {
  const message = await checkRedis(url, 'REDIS_URL').then(
    () => 'accepted',
    (error) => error.message,
  );
  const [, reason] =
    /^Redis at [\w.-]+:\d+ can't be used \((.*)\): correct REDIS_URL, or unset it to use the embedded Redis\.$/.exec(
      message,
    ) ?? [];
  return reason ?? message;
}

describe('a Redis of the user’s', () => {
  it('[L1] that will do leaves nothing behind; settings that lose purchases are named', async () => {
    expect(await checkRedis(at(host()), 'REDIS_URL')).toEqual([
      'appendonly is no, should be yes',
      'appendfsync is everysec, should be always',
    ]);
  });

  it('[L1] wants a password, or another one; the wrong one is not repeated', async () => {
    await admin.config('SET', 'requirepass', 'right');
    expect(await refusal(at(host()))).toBe('it wants a password: write redis://:PASSWORD@host:port');
    const wrong = await refusal(at(`:geheim@${host()}`));
    expect(wrong).toBe('the password or the user name is wrong');
    expect(await refusal(at(`nobody:right@${host()}`))).toBe('the password or the user name is wrong');
    expect(await refusal(at(`:right@${host()}`))).toMatch(/^appendonly|accepted/);
  });

  it('[L1] has a user that may not do what the product does; with what the message says he may', async () => {
    const url = at(`shop:pw@${host()}`);
    await admin.call('ACL', 'SETUSER', 'shop', 'on', '>pw', '~*', '&*', '+@all', '-@dangerous');
    expect(await refusal(url)).toMatch(
      /^its user may not run INFO: allow it ~\* &\* \+@all -@dangerous \+info/,
    );
    await admin.call('ACL', 'SETUSER', 'shop', '+info', '-xadd');
    expect(await refusal(url)).toMatch(/^its user may not run XADD: /);
    await admin.call('ACL', 'SETUSER', 'shop', '+xadd', 'resetkeys', '~other:*');
    expect(await refusal(url)).toMatch(/^its user may not use the keys or channels: /);
    await admin.call(
      'ACL',
      'SETUSER',
      'shop',
      'reset',
      'on',
      '>pw',
      '~*',
      '&*',
      '+@all',
      '-@dangerous',
      '+info',
      '+config|get',
    );
    expect(await checkRedis(url, 'REDIS_URL')).toHaveLength(2);
    await admin.call('ACL', 'DELUSER', 'shop');
  });

  it('[L1] speaks TLS where none is asked for, none where it is, or has a certificate nobody knows', async () => {
    expect(await refusal(at(`127.0.0.1:${tlsPort}`))).toBe(
      'it speaks TLS there: write rediss:// instead of redis://',
    );
    expect(await refusal(at(host(), 'rediss'))).toBe(
      'it speaks no TLS there: write redis:// instead of rediss://',
    );
    expect(await refusal(at(`localhost:${tlsPort}`, 'rediss'))).toMatch(
      /^its certificate is signed by nobody this machine trusts: .* NODE_EXTRA_CA_CERTS$/,
    );
  });

  it('[L1] is a replica, a cluster, or lacks the database', async () => {
    await admin.replicaof('127.0.0.1', 9);
    expect(await refusal(at(host()))).toBe('it is a replica: name its primary, 127.0.0.1:9');
    await admin.replicaof('NO', 'ONE');
    // Nodes of a cluster talk on a port of their own: by default 10,000 above the server's, which another process may
    // use, so the test names one.
    const cluster = await start({ 'cluster-enabled': 'yes', 'cluster-port': await anyFreePort() });
    expect(await refusal(at(`127.0.0.1:${cluster}`))).toMatch(
      /^it is part of a cluster: write redis\+cluster:/,
    );
    const alone = new Redis(cluster);
    await alone.cluster('ADDSLOTSRANGE', 0, 16_383);
    alone.disconnect();
    await expect.poll(() => refusal(at(`127.0.0.1:${cluster}`))).toBe('accepted');
    expect(await refusal(at(`${host()}/99`))).toBe('it has no database 99');
  });

  it('[D4] is named twice for locks: a majority of one server is none', async () => {
    const urls = [0, 1, 2].map((db) => at(`${host()}/${db}`)).join(',');
    await expect(checkServers({ LOCK_REDIS_URLS: urls }, () => {})).rejects.toThrow(
      `LOCK_REDIS_URLS names one server twice, as ${host()} and ${host()}: name servers that fail apart`,
    );
    const others = [await start(), await start()].map((own) => at(`127.0.0.1:${own}`));
    expect(await checkServers({ LOCK_REDIS_URLS: [at(host()), ...others].join(',') }, () => {})).toBe(
      '3 of 3 lock servers',
    );
  });

  it('[L1] cannot be reached, each way in words', async () => {
    expect(await refusal(at(`127.0.0.1:${await anyFreePort()}`))).toBe('nothing answers there');
    expect(await refusal(at('no-such-host.invalid:6379'))).toMatch(
      /^its host name (is unknown|cannot be looked up)/,
    );
    expect(await refusal('localhost:6379')).toMatch(/^REDIS_URL is not a Redis address/);
    expect(await refusal('')).toMatch(/^REDIS_URL is not a Redis address/);
  });

  it.each([
    [
      'an old Redis',
      { info: 'redis_version:6.2.14' },
      'it is version 6.2.14, and 7.0 is the oldest that will do',
    ],
    [
      'a Sentinel',
      { info: 'redis_version:7.0.15\r\nredis_mode:sentinel' },
      'that is a Sentinel: write redis+sentinel://host:port/NAME',
    ],
    [
      'one in protected mode',
      { other: '-DENIED Redis is running in protected mode because …' },
      'its protected mode refuses other machines: give it a password, or bind it to a private address',
    ],
    [
      'one that is full',
      { info: 'redis_version:7.0.15', other: '-OOM command not allowed' },
      'its memory is full',
    ],
    [
      'one that cannot save',
      { info: 'redis_version:7.0.15', other: '-MISCONF Redis is configured to save RDB snapshots …' },
      'it takes no writes because it cannot save: look at its disk',
    ],
    ['something else', { other: 'HTTP/1.1 400 Bad Request' }, 'what answers there does not speak like Redis'],
  ])('[L1] %s is named as such', async (_name, answers, expected) => {
    const { url, close } = await pretend(answers);
    expect(await refusal(url)).toBe(expected);
    await close();
  });

  it('[L1] that still reads its files is waited for', async () => {
    const loading = ['1', '1', '0'];
    const { url, close } = await pretend({
      info: () => `redis_version:7.0.15\r\nloading:${loading.shift()}\r\nloading_loaded_perc:42.1`,
      other: '-OOM',
    });
    const waits = [];
    await checkRedis(url, 'REDIS_URL', (what) => waits.push(what())).catch(() => {});
    expect(waits).toEqual(Array(2).fill('Redis has read 42.1 % of its files'));
    await close();
  });
});

function reply(command, { info, other }) {
  if (command !== 'info' || !info) return command === 'hello' && info ? '-NOPROTO' : (other ?? '+OK');
  const text = typeof info === 'function' ? info() : info;
  return `$${text.length}\r\n${text}`;
}

/** Starts a server that gives the given answers, to INFO and to everything else. */
async function pretend(answers) {
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      // ioredis sends one command at a time here, except for its greeting.
      for (const [, command] of String(data).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)) {
        socket.write(`${reply(command.toLowerCase(), answers)}\r\n`);
      }
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `redis://127.0.0.1:${server.address().port}`,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
