import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findRedis } from './find-server.mjs';
import { anyFreePort } from './ports.mjs';
import { openPostgres, openRedis } from './stores.mjs';
import { createSupervisor } from './supervise.mjs';

const dir = mkdtempSync(join(tmpdir(), 'seckill-stores-'));
const logs = join(dir, 'logs');
const stranger = createServer((socket) => socket.end('+PONG\r\n'));
const supervisor = createSupervisor({ dir, say: () => {}, onNeverUp: () => {} });

beforeAll(async () => {
  chmodSync(dir, 0o711);
  mkdirSync(logs);
  await new Promise((resolve) => stranger.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await supervisor.stop();
  stranger.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Simulates ports that another process took between their release and their use. */
const lostPorts = () => ({
  postgres: stranger.address().port,
  redis: stranger.address().port,
  release: async () => {},
  replace: () => anyFreePort(),
});
const options = (notes) => ({
  dir,
  logs,
  supervisor,
  ports: lostPorts(),
  wait: () => {},
  note: (text) => notes.push(text),
});

it('[L1] a store whose port was lost takes another; who answers at the lost one is not taken for it', async () => {
  const notes = [];
  const redisUrl = await openRedis({ ...options(notes), binary: findRedis() });
  expect(Number(new URL(redisUrl).port)).not.toBe(stranger.address().port);
  const redis = new Redis(redisUrl);
  expect(await redis.config('GET', 'appendfsync')).toEqual(['appendfsync', 'always']);
  redis.disconnect();

  const databaseUrl = await openPostgres({ ...options(notes), password: 'pw' });
  expect(Number(new URL(databaseUrl).port)).not.toBe(stranger.address().port);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.end();
  expect(notes).toEqual(
    [redisUrl, databaseUrl].map((url) => expect.stringMatching(`port ${new URL(url).port}$`)),
  );
});

/** Damages the file of the commands, as a power cut may. @param change of its bytes; @param write what is written last */
async function afterDamage(change, write = async () => {}) {
  const dir = mkdtempSync(join(tmpdir(), 'seckill-damaged-'));
  const start = async (notes) => {
    const supervisor = createSupervisor({ dir, say: () => {}, onNeverUp: () => {} });
    const redis = new Redis(await openRedis({ ...options(notes), dir, supervisor, binary: findRedis() }));
    const stop = async () => {
      await redis.quit();
      await supervisor.stop();
    };
    return { redis, stop };
  };
  const before = await start([]);
  for (let n = 0; n < 100; n += 1) await before.redis.set(`key-${n}`, 'value');
  await write(before.redis);
  await before.stop();
  const files = join(dir, 'redis', 'appendonlydir');
  const file = join(
    files,
    readdirSync(files).find((name) => name.endsWith('.incr.aof')),
  );
  writeFileSync(file, change(readFileSync(file), files));
  const notes = [];
  const after = await start(notes);
  const keys = await after.redis.dbsize();
  await after.redis.set('more', 'value');
  await after.stop();
  const copy = readdirSync(join(dir, 'redis')).find((name) => name.startsWith('damaged-'));
  const cut = JSON.parse(readFileSync(join(dir, 'redis', copy, 'cut-off.json'), 'utf8'));
  const again = await start([]);
  const kept = await again.redis.dbsize();
  await again.stop();
  rmSync(dir, { recursive: true, force: true });
  return { keys, kept, note: notes.at(-1), copy, cut };
}

it('[J4 L1 P11] zeros at the end of the append-only file cost nothing else, and a copy is kept', async () => {
  const { keys, kept, note, copy } = await afterDamage((bytes) => Buffer.concat([bytes, Buffer.alloc(100)]));
  expect({ keys, kept }).toEqual({ keys: 100, kept: 101 });
  expect(note).toContain(`cut off there`);
  expect(note).toContain(copy);
});

it('[J4 L1 P11] bad bytes in the middle of it cost what comes after them', async () => {
  const { keys, kept, note } = await afterDamage((bytes) => {
    const at = bytes.indexOf('\r\n*', bytes.length >> 1) + 2;
    return bytes.fill('X', at, at + 20);
  });
  expect(keys).toBeGreaterThan(10);
  expect(keys).toBeLessThan(100);
  expect(kept).toBe(keys + 1);
  expect(note).toContain('cut off there');
});

it('[J4 L1 P11] names the purchases that were cut off, and says what else was', async () => {
  const purchase = (orderNo) => [
    'orderNo',
    orderNo,
    'userId',
    `user_${orderNo}`,
    'quantity',
    '1',
    'jti',
    'j',
    'epoch',
    '1',
    'acceptedAt',
    '1790000000000',
  ];
  const { note, cut } = await afterDamage(
    (bytes) => {
      // The damage comes after the first purchase.
      const at = bytes.indexOf('*', bytes.indexOf('acceptedAt'));
      return bytes.fill('X', at, at + 4);
    },
    async (redis) => {
      for (const orderNo of ['100', '200', '300'])
        await redis.xadd('sale:{s1}:outbox', '*', ...purchase(orderNo));
      await redis.hset('sale:{s1}:places', 'user_9', '1,jti,400,w');
      await redis.set('limit:{s1}:purchase:ip:x', '3');
    },
  );
  expect(cut.purchases.map(({ orderNo, userId }) => [orderNo, userId])).toEqual([
    ['200', 'user_200'],
    ['300', 'user_300'],
  ]);
  expect(cut.from).toBe(new Date(1_790_000_000_000).toISOString());
  expect(cut.writes).toEqual({
    'purchases on their way': 1,
    'places on waitlists': 1,
    'counts of rate limits': 1,
  });
  expect(note).toContain('2 accepted purchases (200, 300)');
});

it('[J4 L1 P11] where nothing can be read any more, Redis begins empty', async () => {
  const { keys, kept, note, copy } = await afterDamage((bytes, files) => {
    writeFileSync(join(files, 'appendonly.aof.manifest'), 'nonsense\n');
    return bytes;
  });
  expect({ keys, kept }).toEqual({ keys: 0, kept: 1 });
  expect(note).toContain(`its damaged files are in`);
  expect(note).toContain(copy);
});
