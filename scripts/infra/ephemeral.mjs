import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureRedisForTests } from './find-server.mjs';
import { anyFreePort } from './ports.mjs';
import { startPostgres } from './postgres.mjs';
import { stopChild } from './processes.mjs';
import { startReaper } from './reaper.mjs';
import { startRedis } from './redis.mjs';

/**
 * Starts a Postgres in a temporary folder, and as many Redis servers as asked for. They are for tests: without fsync,
 * deleted afterwards, never the developer's own.
 * @returns {Promise<{ dir: string, databaseUrl: string, addRedis: () => Promise<{ url: string, stop: () =>
 *   Promise<void> }>, stop: () => Promise<void> }>}
 */
export async function startEphemeral() {
  const dir = mkdtempSync(join(tmpdir(), 'seckill-test-'));
  // As root, Postgres runs as another account, which must be able to pass through the folder.
  chmodSync(dir, 0o711);
  const reaper = startReaper(dir);
  /** @type {Set<() => Promise<unknown>>} */
  const stops = new Set();
  const stop = async () => {
    await Promise.all([...stops].map((end) => end()));
    rmSync(dir, { recursive: true, force: true });
    reaper.dismiss();
  };
  try {
    const binary = await ensureRedisForTests();
    const postgres = await startPostgres({
      dir: join(dir, 'postgres'),
      port: await anyFreePort(),
      password: randomBytes(12).toString('hex'),
      logFile: join(dir, 'postgres.log'),
      // Test files run in parallel, some of them with several processes that each have a pool.
      settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: 500 },
      onSpawn: (child) => reaper.watch(child.pid),
    });
    stops.add(postgres.stop);
    let count = 0;
    const addRedis = async () => {
      count += 1;
      const redis = await startRedis({
        binary,
        dir: join(dir, `redis-${count}`),
        port: await anyFreePort(),
        logFile: join(dir, `redis-${count}.log`),
        settings: { appendonly: 'no', save: '' },
        onSpawn(child) {
          reaper.watch(child.pid);
          const kill = () => stopChild(child, { signal: 'SIGKILL' });
          stops.add(kill);
          child.once('exit', () => {
            reaper.forget(child.pid);
            stops.delete(kill);
          });
        },
      });
      return { url: redis.url, stop: async () => void (await stopChild(redis.child, { signal: 'SIGKILL' })) };
    };
    return { dir, databaseUrl: postgres.url, addRedis, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
