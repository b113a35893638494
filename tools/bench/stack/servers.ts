import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDatabase } from '../../../scripts/infra/ensure-database.mjs';
import { ensureRedis } from '../../../scripts/infra/find-server.mjs';
import { anyFreePort } from '../../../scripts/infra/ports.mjs';
import { startPostgres } from '../../../scripts/infra/postgres.mjs';
import { startReaper } from '../../../scripts/infra/reaper.mjs';
import { startRedis } from '../../../scripts/infra/redis.mjs';
import { secrets } from '../../../scripts/infra/secrets.mjs';

export type Servers = {
  dir: string;
  databaseUrl: string;
  redisUrl: string;
  secrets: Record<string, string>;
  /** Makes sure a process dies with us. */
  watch(pid: number | undefined): void;
  stop(): Promise<void>;
};

/** A Postgres and a Redis of the bench's own, as durable as the product's, in a temporary folder that goes with them. */
export async function startServers(): Promise<Servers> {
  const dir = mkdtempSync(join(tmpdir(), 'seckill-bench-'));
  chmodSync(dir, 0o711);
  mkdirSync(join(dir, 'logs'));
  const reaper = startReaper(dir);
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    await Promise.allSettled(stops.map((end) => end()));
    rmSync(dir, { recursive: true, force: true });
    reaper.dismiss();
  };
  const onSpawn = (child: { pid?: number }) => void reaper.watch(child.pid);
  try {
    const kept: Record<string, string> = secrets(dir);
    const postgres = await startPostgres({
      dir: join(dir, 'postgres'),
      port: await anyFreePort(),
      password: kept.POSTGRES_PASSWORD ?? '',
      logFile: join(dir, 'logs/postgres.log'),
      onSpawn,
    });
    stops.push(postgres.stop);
    const redis = await startRedis({
      binary: await ensureRedis(),
      dir: join(dir, 'redis'),
      port: await anyFreePort(),
      logFile: join(dir, 'logs/redis.log'),
      // Rewriting the file in the middle of a round would be measured as a slow round.
      settings: { appendonly: 'yes', appendfsync: 'always', save: '', 'auto-aof-rewrite-percentage': 0 },
      onSpawn,
    });
    stops.push(redis.stop);
    const databaseUrl = await ensureDatabase(postgres.url, 'seckill');
    return {
      dir,
      databaseUrl,
      redisUrl: redis.url,
      secrets: kept,
      watch: (pid) => void reaper.watch(pid),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
