import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedis } from './find-server.mjs';
import { anyFreePort } from './ports.mjs';
import { startPostgres } from './postgres.mjs';
import { startReaper } from './reaper.mjs';
import { startRedis } from './redis.mjs';

/** Logical Redis databases: one per test worker, with room to spare. */
export const REDIS_DATABASES = 64;

/**
 * A Postgres and a Redis in a temporary folder, for tests: no fsync, gone afterwards, never the developer's.
 * @param {(line: string) => void} [say]
 * @returns {Promise<{ dir: string, databaseUrl: string, redisUrl: string, stop: () => Promise<void> }>}
 */
export async function startEphemeral(say) {
  const dir = mkdtempSync(join(tmpdir(), 'seckill-test-'));
  // The account Postgres runs as under root must be able to walk through.
  chmodSync(dir, 0o711);
  const reaper = startReaper(dir);
  const stops = [];
  const stop = async () => {
    await Promise.all(stops.map((end) => end()));
    rmSync(dir, { recursive: true, force: true });
    reaper.dismiss();
  };
  try {
    const binary = findRedis({ say });
    const settings = {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: 200,
    };
    const [postgres, redis] = await Promise.all([
      startPostgres({
        dir: join(dir, 'postgres'),
        port: await anyFreePort(),
        password: randomBytes(12).toString('hex'),
        logFile: join(dir, 'postgres.log'),
        settings,
        onSpawn: (child) => reaper.watch(child.pid),
      }).then((server) => {
        stops.push(server.stop);
        return server;
      }),
      startRedis({
        binary,
        dir: join(dir, 'redis'),
        port: await anyFreePort(),
        logFile: join(dir, 'redis.log'),
        settings: { databases: REDIS_DATABASES, appendonly: 'no', save: '' },
        onSpawn: (child) => reaper.watch(child.pid),
      }).then((server) => {
        stops.push(server.stop);
        return server;
      }),
    ]);
    return { dir, databaseUrl: postgres.url, redisUrl: redis.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
