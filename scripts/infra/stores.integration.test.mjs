import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
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
