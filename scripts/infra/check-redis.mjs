import { parseRedisUrl } from '../../lib/redis-address.mjs';
import { checkRedisCluster } from './check-redis-cluster.mjs';
import { checkRedisSentinel } from './check-redis-sentinel.mjs';
import { Problem } from './problem.mjs';
import { loadedInfo, refuseUnfit, tryEverything, warningsOf, withServer } from './redis-checks.mjs';

/**
 * Checks whether the product can use a Redis, and leaves nothing in it.
 * @param {string} url REDIS_URL or CACHE_REDIS_URL
 * @param {string} variable its name, for the message
 * @param {import('./progress.mjs').Wait} [wait] called for a server that is still reading its files
 * @param {string} [unset] what the user may do instead of correcting it, for the message
 * @returns {Promise<string[]>} warnings about settings that would lose accepted purchases.
 * @throws {Problem} that says what is wrong with it, without the password.
 */
export async function checkRedis(
  url,
  variable,
  wait = () => {},
  unset = 'unset it to use the embedded Redis',
) {
  const address = parse(url, variable, unset);
  const [scheme = ''] = url.split('//');
  const asking = { variable, unset, scheme, wait };
  if (address.kind === 'cluster') return checkRedisCluster(address, asking);
  if (address.kind === 'sentinel') return checkRedisSentinel(address, asking);
  return withServer(url, asking, async (client) => {
    await refuseWrongKind(client, await loadedInfo(client, wait));
    await tryEverything(client);
    return warningsOf(client);
  });
}

function parse(url, variable, unset) {
  try {
    return parseRedisUrl(url);
  } catch (error) {
    // An address without the prefix of a cluster or of Sentinels names one server.
    if (!/^rediss?\+/.test(url))
      throw new Problem(`${variable} is not a Redis address: write it as redis://host:6379, or ${unset}.`);
    throw new Problem(`${variable} ${error.message}: correct it, or ${unset}.`);
  }
}

async function refuseWrongKind(client, info) {
  if (info.redis_mode === 'sentinel')
    throw new Error('that is a Sentinel: write redis+sentinel://host:port/NAME');
  // Each script's keys are in one slot, so a server that holds all slots is as good as a single one.
  if (info.cluster_enabled === '1' && !(await holdsAllSlots(client)))
    throw new Error('it is part of a cluster: write redis+cluster://host:port,host:port');
  refuseUnfit(info);
}

async function holdsAllSlots(client) {
  const told = (await client.cluster('INFO')).split('\r\n');
  return told.includes('cluster_slots_ok:16384') && told.includes('cluster_size:1');
}
