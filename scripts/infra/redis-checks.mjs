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
 * How to ask a server, and what to tell the user who named it.
 * @typedef {{ variable: string, unset: string, scheme: string, wait: import('./progress.mjs').Wait }} Asking
 */

/**
 * Connects to one server and does `work` with it.
 * @template T
 * @param {string} url `redis://` or `rediss://`
 * @param {Asking} asking
 * @param {(client: import('ioredis').Redis) => Promise<T>} work
 * @returns {Promise<T>}
 * @throws {Problem} that says why the server can't be used, without the password.
 */
export async function withServer(url, { variable, unset, scheme }, work) {
  const parsed = new URL(url);
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
    return await work(client);
  } catch (error) {
    const reason = await redisReason(failure ?? error, parsed, scheme);
    const where = `${parsed.hostname}:${parsed.port || 6379}`;
    throw new Problem(`Redis at ${where} can't be used (${reason}): correct ${variable}, or ${unset}.`);
  } finally {
    client.disconnect();
  }
}

/**
 * Writes the address of one of several servers.
 * @param {import('../../lib/redis-address.mjs').RedisAddress} address
 * @param {import('../../lib/redis-address.mjs').RedisHost} server
 * @param {{ username?: string, password?: string, db?: number }} [as] those of the address unless given
 */
export function urlOf(address, { host, port }, { username, password, db = 0 } = address) {
  const [user = '', secret = ''] = [username, password].map((text) => encodeURIComponent(text ?? ''));
  const who = user || secret ? `${user}:${secret}@` : '';
  const name = host.includes(':') ? `[${host}]` : host;
  return `${address.isTls ? 'rediss' : 'redis'}://${who}${name}:${port}${db > 0 ? `/${db}` : ''}`;
}

/**
 * Waits while the server reads its files; it answers INFO meanwhile.
 * @param {import('ioredis').Redis} client @param {import('./progress.mjs').Wait} wait
 * @returns {Promise<Record<string, string>>}
 */
export async function loadedInfo(client, wait) {
  const deadline = Date.now() + LONGEST_LOADING_MS;
  for (;;) {
    const info = readInfo(await client.info());
    if (info.loading !== '1') return info;
    if (Date.now() > deadline) throw new Error('it is still reading its files, after ten minutes');
    wait(() => `Redis has read ${info.loading_loaded_perc ?? '?'} % of its files`);
    await sleep(500);
  }
}

/** @param {string} text @returns {Record<string, string>} the fields of INFO or CLUSTER INFO */
export const readInfo = (text) =>
  Object.fromEntries(text.split('\r\n').map((line) => line.split(/:(.*)/s, 2)));

/** @param {Record<string, string>} info of INFO. @throws {Error} if the server can't hold the stock by its version or role */
export function refuseUnfit(info) {
  const version = redisVersionProblem(info.redis_version);
  if (version) throw new Error(version);
  if (info.role === 'slave')
    throw new Error(`it is a replica: name its primary, ${info.master_host}:${info.master_port}`);
}

/**
 * Tries one command of every family the product needs, on keys that it deletes a moment later.
 * @param {import('ioredis').Redis} client
 * @param {(key: string) => boolean} [isHeld] whether this server holds the key
 */
export async function tryEverything(client, isHeld = () => true) {
  let key = '';
  do key = `sale:{start-check-${randomUUID()}}`;
  while (!isHeld(key));
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

/**
 * @param {import('ioredis').Redis} client @param {Record<string, string>} [more] settings besides those that keep purchases
 * @returns {Promise<string[]>} what is set otherwise than it should be
 */
export async function warningsOf(client, more = {}) {
  const warnings = [];
  for (const [name, wanted] of Object.entries({ ...DURABLE, ...more })) {
    // Hosted servers often have no CONFIG.
    const [, found] = await client.config('GET', name).catch(() => []);
    if (found !== undefined && found !== wanted) warnings.push(`${name} is ${found}, should be ${wanted}`);
  }
  return warnings;
}

const POLICY = 'maxmemory-policy';

/**
 * The setting that matters on a server that may become the primary one day.
 * @typedef {{ at: string, policy: string | undefined }} Stance
 */

/**
 * @param {import('ioredis').Redis} client @param {string} at `host:port`
 * @returns {Promise<Stance>} @throws {Error} if it is too old to take over
 */
export async function stanceOf(client, at) {
  const version = redisVersionProblem(readInfo(await client.info()).redis_version);
  if (version) throw new Error(version);
  // Hosted servers often have no CONFIG.
  const [, policy] = await client.config('GET', POLICY).catch(() => []);
  return { at, policy };
}

/**
 * Refuses servers that replace each other and evict differently: purchases would be lost by the next failover.
 * @param {readonly Stance[]} stances @param {string} variable @param {string} unset
 * @throws {Problem}
 */
export function refuseMixedPolicies(stances, variable, unset) {
  const known = stances.filter(({ policy }) => policy !== undefined);
  const odd = known.find(({ policy }) => policy !== 'noeviction');
  if (!odd || known.every(({ policy }) => policy === odd.policy)) return;
  throw new Problem(
    `Redis at ${odd.at} can't be used (its ${POLICY} is ${odd.policy}, and that of others is not): set ${POLICY} noeviction on every server of ${variable}, or ${unset}.`,
  );
}
