import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from './problem.mjs';
import { redisReason } from './redis-reason.mjs';
import { redisVersionProblem } from './redis-version.mjs';

const CONNECT_TIMEOUT_MS = 5_000;
const LONGEST_LOADING_MS = 600_000;

/** Only with these settings does every accepted purchase survive a crash of Redis. */
const DURABLE = { 'maxmemory-policy': 'noeviction', appendonly: 'yes', appendfsync: 'always' };

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
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['redis:', 'rediss:'].includes(parsed.protocol)) {
    throw new Problem(`${variable} is not a Redis address: write it as redis://host:6379, or ${unset}.`);
  }
  const { Redis } = await import('ioredis');
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: CONNECT_TIMEOUT_MS,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let failure;
  client.on('error', (error) => {
    failure ??= error;
  });
  try {
    await client.connect();
    // The client alone would silently stay in database 0.
    if (parsed.pathname.length > 1) await client.select(Number(parsed.pathname.slice(1)));
    await refuseWrongKind(client, await loadedInfo(client, wait));
    await tryEverything(client);
    return await warningsOf(client);
  } catch (error) {
    const reason = await redisReason(failure ?? error, parsed);
    throw new Problem(
      `Redis at ${parsed.hostname}:${parsed.port || 6379} can't be used (${reason}): correct ${variable}, or ${unset}.`,
    );
  } finally {
    client.disconnect();
  }
}

/** Waits while the server reads its files; it answers INFO meanwhile. */
async function loadedInfo(client, wait) {
  const deadline = Date.now() + LONGEST_LOADING_MS;
  for (;;) {
    const text = await client.info();
    const info = Object.fromEntries(text.split('\r\n').map((line) => line.split(/:(.*)/s, 2)));
    if (info.loading !== '1') return info;
    if (Date.now() > deadline) throw new Error('it is still reading its files, after ten minutes');
    wait(() => `Redis has read ${info.loading_loaded_perc ?? '?'} % of its files`);
    await sleep(500);
  }
}

async function refuseWrongKind(client, info) {
  const version = redisVersionProblem(info.redis_version);
  if (version) throw new Error(version);
  if (info.redis_mode === 'sentinel') throw new Error('that is a Sentinel: name the Redis it watches');
  // Each script's keys are in one slot, so a server that holds all slots is as good as a single one.
  if (info.cluster_enabled === '1' && !(await holdsAllSlots(client)))
    throw new Error('it is part of a cluster, which is not supported: name a single server');
  if (info.role === 'slave')
    throw new Error(`it is a replica: name its primary, ${info.master_host}:${info.master_port}`);
}

async function holdsAllSlots(client) {
  const told = (await client.cluster('INFO')).split('\r\n');
  return told.includes('cluster_slots_ok:16384') && told.includes('cluster_size:1');
}

/** Tries one command of every family the product needs, on keys that it deletes a moment later. */
async function tryEverything(client) {
  const key = `sale:{start-check-${randomUUID()}}`;
  const channel = 'start-check';
  try {
    await client.eval("redis.call('HSET', KEYS[1], 'a', 1) return redis.call('TIME')", 1, key);
    await client.script('EXISTS', '0'.repeat(40));
    await client.hgetall(key);
    await client.pexpire(key, 60_000);
    await client.xgroup('CREATE', `${key}:stream`, 'check', '0', 'MKSTREAM');
    await client.xadd(`${key}:stream`, '*', 'a', '1');
    await client.xreadgroup('GROUP', 'check', 'me', 'COUNT', 1, 'STREAMS', `${key}:stream`, '>');
    await client.xautoclaim(`${key}:stream`, 'check', 'me', 60_000, '0');
    await client.xinfo('STREAM', `${key}:stream`);
    await client.zadd(`${key}:set`, 'GT', 1, 'a');
    await client.sadd(`${key}:members`, 'a');
    await client.set(`${key}:text`, '1', 'PX', 60_000, 'NX');
    await client.getdel(`${key}:text`);
    await client.publish(channel, '');
    await client.subscribe(channel);
    await client.unsubscribe(channel);
  } finally {
    const left = ['', ':stream', ':set', ':members', ':text'].map((end) => `${key}${end}`);
    await client.unlink(...left).catch(() => {});
  }
}

async function warningsOf(client) {
  const warnings = [];
  for (const [name, wanted] of Object.entries(DURABLE)) {
    // Hosted servers often have no CONFIG.
    const [, found] = await client.config('GET', name).catch(() => []);
    if (found !== undefined && found !== wanted) warnings.push(`${name} is ${found}, should be ${wanted}`);
  }
  return warnings;
}
