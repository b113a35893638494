import { launchPostgres, launchRedis } from '@/tools/harness/stack/launch-stores';
import { openWorkspace, type Workspace } from '@/tools/harness/stack/open-workspace';
import { ensureDatabase } from '../../../scripts/infra/ensure-database.mjs';
import { ensureRedis } from '../../../scripts/infra/find-server.mjs';
import { anyFreePort } from '../../../scripts/infra/ports.mjs';
import { secrets } from '../../../scripts/infra/secrets.mjs';

export type Servers = Pick<Workspace, 'dir' | 'logFile' | 'watch'> & {
  databaseUrl: string;
  redisUrl: string;
  secrets: Record<string, string>;
  stop(): Promise<void>;
};

/**
 * Starts a Postgres and a Redis for the bench alone, in a temporary folder that is removed with them. A server that
 * crashes is not restarted.
 */
export async function startServers(): Promise<Servers> {
  const workspace = openWorkspace('bench');
  const { dir, logFile, watch } = workspace;
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    await Promise.allSettled(stops.map((end) => end()));
    workspace.close();
  };
  try {
    const kept: Record<string, string> = secrets(dir);
    const password = kept.POSTGRES_PASSWORD ?? '';
    const postgres = await launchPostgres({ workspace, port: await anyFreePort(), password });
    stops.push(postgres.stop);
    const redis = await launchRedis({
      workspace,
      port: await anyFreePort(),
      binary: await ensureRedis(),
      // If Redis rewrote the file in the middle of a round, the round would look slow.
      settings: { 'auto-aof-rewrite-percentage': 0 },
    });
    stops.push(redis.stop);
    const databaseUrl = await ensureDatabase(postgres.url, 'seckill');
    return { dir, logFile, watch, databaseUrl, redisUrl: redis.url, secrets: kept, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
