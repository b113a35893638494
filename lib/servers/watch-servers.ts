import 'server-only';
import { env } from '@/lib/env';
import { createPostgresReader } from './read-postgres';
import { createRedisReader } from './read-redis';
import type { Failovers, RedisServers, RedisStore, Servers } from './types';

/** How often a worker looks. */
export const WATCH_EVERY_MS = 5_000;

type Watch = {
  look: () => Promise<Servers>;
  latest?: Servers;
  at: number;
  looking?: Promise<Servers>;
};
let held: Watch | undefined;

/** Looks at every server now, and counts the failovers since the last look. Never throws. */
export async function watchServers(): Promise<Servers> {
  held ??= { look: createWatch(), at: Number.NEGATIVE_INFINITY };
  const watch = held;
  watch.looking ??= watch.look().finally(() => {
    watch.looking = undefined;
  });
  watch.latest = await watch.looking;
  watch.at = performance.now();
  return watch.latest;
}

/** Returns the latest look, or takes one if that is older than two rounds: a server that hangs holds nobody up. */
export async function recentServers(): Promise<Servers> {
  const isRecent = held?.latest && performance.now() - held.at < 2 * WATCH_EVERY_MS;
  return isRecent && held?.latest ? held.latest : watchServers();
}

function createWatch(): () => Promise<Servers> {
  const { redisUrl, cacheRedisUrl, lockRedisUrls } = env();
  const addresses: [RedisStore, string][] = [
    ['stock', redisUrl],
    ...(cacheRedisUrl === redisUrl ? [] : [['cache', cacheRedisUrl] as [RedisStore, string]]),
    ...lockRedisUrls.map((url): [RedisStore, string] => ['lock', url]),
  ];
  const readers = addresses.map(([store, url]) => createRedisReader(store, url));
  const readPostgres = createPostgresReader(env());
  const count = createFailoverCounter();
  return async () => {
    const [redis, postgres] = await Promise.all([Promise.all(readers.map((read) => read())), readPostgres()]);
    return { ...postgres, redis, failovers: redis.flatMap((servers) => count(servers)) };
  };
}

/** Counts how often a server that was a replica when last seen is a primary. A process counts what it has seen itself. */
function createFailoverCounter(now: () => number = Date.now): (servers: RedisServers) => Failovers[] {
  const roles = new Map<string, string>();
  const counts = new Map<RedisStore, Failovers>();
  return ({ store, nodes }) => {
    const failovers = counts.get(store) ?? { store, count: 0, lastAt: null };
    counts.set(store, failovers);
    for (const { node, role } of nodes) {
      const key = `${store} ${node}`;
      if (role === 'primary' && roles.get(key) === 'replica') {
        failovers.count += 1;
        failovers.lastAt = now();
      }
      if (role !== 'unknown') roles.set(key, role);
    }
    return nodes.some(({ role }) => role === 'replica') || failovers.count > 0 ? [{ ...failovers }] : [];
  };
}
