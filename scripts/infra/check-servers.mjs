import { namedHosts, parseRedisUrl } from '../../lib/redis-address.mjs';
import { checkPostgres } from './check-postgres.mjs';
import { checkRedis } from './check-redis.mjs';
import { checkReplicas } from './check-replicas.mjs';
import { Problem } from './problem.mjs';
import { readInfo, withServer } from './redis-checks.mjs';

/**
 * Checks the servers the user has named, before anything is started or changed.
 * @param {NodeJS.ProcessEnv} env DATABASE_URL, DATABASE_REPLICA_URLS, REDIS_URL, CACHE_REDIS_URL and LOCK_REDIS_URLS
 * @param {import('./progress.mjs').Wait} wait
 * @param {string} [instead] what to do instead of correcting DATABASE_URL or REDIS_URL, where not: unset it
 * @returns {Promise<string>} what it found, for the progress line.
 * @throws {import('./problem.mjs').Problem} that says what is wrong with the first unusable server.
 */
export async function checkServers(env, wait, instead) {
  const { DATABASE_URL, DATABASE_REPLICA_URLS, REDIS_URL, CACHE_REDIS_URL, LOCK_REDIS_URLS } = env;
  const found = [];
  if (DATABASE_URL) {
    const version = await checkPostgres(DATABASE_URL, wait, instead && `, or ${instead}`);
    found.push(`Postgres ${version} at ${new URL(DATABASE_URL).host}`);
  }
  if (DATABASE_REPLICA_URLS) {
    if (!DATABASE_URL)
      throw new Problem(
        'DATABASE_REPLICA_URLS needs DATABASE_URL: the embedded Postgres has no replicas. Unset it.',
      );
    found.push(await checkReplicas(DATABASE_REPLICA_URLS, DATABASE_URL));
  }
  if (REDIS_URL) {
    const warnings = await checkRedis(REDIS_URL, 'REDIS_URL', wait, instead);
    const careful = warnings.length > 0 ? ` (careful: ${warnings.join('; ')})` : '';
    found.push(`Redis at ${namedHosts(parseRedisUrl(REDIS_URL))}${careful}`);
  }
  if (CACHE_REDIS_URL)
    await checkRedis(CACHE_REDIS_URL, 'CACHE_REDIS_URL', wait, 'unset it to use the same Redis as for stock');
  if (LOCK_REDIS_URLS) found.push(await checkLockServers(LOCK_REDIS_URLS, wait));
  return found.join(', ');
}

/** Locks need a majority of their servers: a start goes on while the others are away, and names them. */
async function checkLockServers(urls, wait) {
  const all = urls.split(',').map((url) => url.trim());
  const instead = 'unset it to keep locks on the cache Redis';
  const looks = await Promise.allSettled(all.map((url) => checkRedis(url, 'LOCK_REDIS_URLS', wait, instead)));
  const reasons = looks.flatMap((look) => (look.status === 'rejected' ? [look.reason] : []));
  if (reasons.length >= all.length / 2) throw reasons[0];
  await refuseSameServer(
    all.filter((_, at) => looks[at].status === 'fulfilled'),
    instead,
  );
  const careful = reasons.length > 0 ? ` (careful: ${reasons.map(({ message }) => message).join('; ')})` : '';
  return `${all.length - reasons.length} of ${all.length} lock servers${careful}`;
}

/** Refuses one server under several names: its loss would take the majority that it seems to be. */
async function refuseSameServer(urls, unset) {
  const known = new Map();
  for (const url of urls) {
    const { host } = new URL(url);
    const asking = { variable: 'LOCK_REDIS_URLS', unset, scheme: 'redis:', wait: () => {} };
    const id = await withServer(url, asking, async (client) => readInfo(await client.info('server')).run_id);
    const other = known.get(id);
    if (id && other !== undefined)
      throw new Problem(
        `LOCK_REDIS_URLS names one server twice, as ${other} and ${host}: name servers that fail apart from each other, or ${unset}.`,
      );
    known.set(id, host);
  }
}
