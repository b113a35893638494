import { join } from 'node:path';
import { startEphemeral } from '../../scripts/infra/ephemeral.mjs';
import { findRedis } from '../../scripts/infra/find-server.mjs';
import { anyFreePort } from '../../scripts/infra/ports.mjs';
import { startReaper } from '../../scripts/infra/reaper.mjs';
import { startRedis } from '../../scripts/infra/redis.mjs';
import type { Stores } from './types';

const LOCK_SERVERS = 3;

type RunningStores = Stores & { stop(): Promise<void> };

/** Starts independent Redis servers for locks. @param dir must exist; the caller removes it. */
export async function startLockServers(dir: string): Promise<{ urls: string[]; stop(): Promise<void> }> {
  const reaper = startReaper();
  const binary = findRedis();
  const starting = Array.from({ length: LOCK_SERVERS }, async (_, i) =>
    startRedis({
      binary,
      dir: join(dir, `lock-${i}`),
      port: await anyFreePort(),
      logFile: join(dir, `lock-${i}.log`),
      settings: { appendonly: 'no', save: '' },
      onSpawn: (child: { pid?: number }) => void reaper.watch(child.pid),
    }),
  );
  const results = await Promise.allSettled(starting);
  const servers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    reaper.dismiss();
  };
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  return { urls: servers.map((server) => server.url), stop };
}

/** Starts a Postgres, a Redis for the stock and three for locks, in a temporary folder; `stop` removes them all. */
export async function startStores(): Promise<RunningStores> {
  const servers = await startEphemeral();
  try {
    const { url: redisUrl } = await servers.addRedis();
    const locks = await startLockServers(servers.dir);
    return {
      databaseUrl: servers.databaseUrl,
      redisUrl,
      lockUrls: locks.urls,
      async stop() {
        await locks.stop();
        await servers.stop();
      },
    };
  } catch (error) {
    await servers.stop();
    throw error;
  }
}
