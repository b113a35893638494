import { startEphemeral } from '../../scripts/infra/ephemeral.mjs';
import type { Stores } from './types';

const LOCK_SERVERS = 3;

/** Starts a Postgres, a Redis for the stock and three for locks, in a temporary folder; `stop` removes them all. */
export async function startStores(): Promise<Stores & { stop(): Promise<void> }> {
  const servers = await startEphemeral();
  try {
    const { url: redisUrl } = await servers.addRedis();
    const locks = await Promise.all(Array.from({ length: LOCK_SERVERS }, () => servers.addRedis()));
    const lockUrls = locks.map(({ url }) => url);
    return { databaseUrl: servers.databaseUrl, redisUrl, lockUrls, stop: servers.stop };
  } catch (error) {
    await servers.stop();
    throw error;
  }
}
