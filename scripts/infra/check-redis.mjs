import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { connectionReason } from './connection-reason.mjs';
import { Problem } from './problem.mjs';
import { redisVersionProblem } from './redis-version.mjs';

const CONNECT_TIMEOUT_MS = 5_000;
const LONGEST_LOADING_MS = 600_000;
const PROBE_TIMEOUT_MS = 5_000;

/** Every accepted purchase survives a crash of Redis only with these. */
const DURABLE = { 'maxmemory-policy': 'noeviction', appendonly: 'yes', appendfsync: 'always' };

/**
 * Looks whether the product can use a Redis, and leaves nothing in it.
 * @param {string} url REDIS_URL or CACHE_REDIS_URL
 * @param {string} variable its name, for the message
 * @param {import('./progress.mjs').Wait} [wait] told of a server that still reads its files
 * @returns {Promise<string[]>} warnings about settings that would lose accepted purchases.
 * @throws {Problem} that says what is wrong with it, without the password.
 */
export async function checkRedis(url, variable, wait = () => {}) {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['redis:', 'rediss:'].includes(parsed.protocol)) {
    throw new Problem(
      `${variable} is not a Redis address: write it as redis://host:6379, or unset it to use the embedded Redis.`,
    );
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
    // The client itself would stay in database 0 and say nothing.
    if (parsed.pathname.length > 1) await client.select(Number(parsed.pathname.slice(1)));
    refuseWrongKind(await loadedInfo(client, wait));
    await tryEverything(client);
    return await warningsOf(client);
  } catch (error) {
    const reason = await reasonOf(failure ?? error, parsed);
    throw new Problem(
      `Redis at ${parsed.hostname}:${parsed.port || 6379} can't be used (${reason}): correct ${variable}, or unset it to use the embedded Redis.`,
    );
  } finally {
    client.disconnect();
  }
}

/** It may still be reading its files; INFO is answered meanwhile. */
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

function refuseWrongKind(info) {
  const version = redisVersionProblem(info.redis_version);
  if (version) throw new Error(version);
  if (info.redis_mode === 'sentinel') throw new Error('that is a Sentinel: name the Redis it watches');
  if (info.cluster_enabled === '1')
    throw new Error('it is part of a cluster, which is not supported: name a single server');
  if (info.role === 'slave')
    throw new Error(`it is a replica: name its primary, ${info.master_host}:${info.master_port}`);
}

/** One command of every family the product needs, on keys that are gone a moment later. */
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

async function reasonOf(error, parsed) {
  const message = error.message || error.code || '';
  if (message.startsWith('NOAUTH') || /AUTH called without|HELLO must be called/.test(message))
    return `it wants a password: write ${parsed.protocol}//:PASSWORD@host:port`;
  if (message.startsWith('WRONGPASS') || /invalid password|invalid username-password/i.test(message))
    return 'the password or the user name is wrong';
  if (message.startsWith('DENIED'))
    return 'its protected mode refuses other machines: give it a password, or bind it to a private address';
  if (message.startsWith('NOPERM')) {
    const command = /'([^']+)' command/.exec(message)?.[1];
    return `its user may not ${command ? `run ${command.toUpperCase()}` : 'use the keys or channels'}: allow it ~* &* +@all -@dangerous +info +config|get`;
  }
  if (message.startsWith('READONLY')) return 'it is a replica and takes no writes: name its primary';
  if (message.startsWith('MISCONF')) return 'it takes no writes because it cannot save: look at its disk';
  if (message.startsWith('OOM')) return 'its memory is full';
  if (/max number of clients/.test(message)) return 'it has no connection left';
  if (/DB index is out of range|invalid DB index|value is not an integer/.test(message))
    return `it has no database ${parsed.pathname.slice(1)}`;
  if (isHangUp(error)) {
    if (parsed.protocol === 'redis:' && (await speaksTls(parsed)))
      return 'it speaks TLS there: write rediss:// instead of redis://';
    if (parsed.protocol === 'rediss:' && (await speaksPlain(parsed)))
      return 'it speaks no TLS there: write redis:// instead of rediss://';
  }
  return (
    connectionReason(error) ?? (isNonsense(error) ? 'what answers there does not speak like Redis' : message)
  );
}

const isNonsense = ({ message }) =>
  /Connection is closed|Command timed out|Protocol error|Unknown RESP type/.test(message);

/** As a server does that expects something else first, or that waits for more. */
const isHangUp = (error) =>
  isNonsense(error) ||
  /ECONNRESET|EPIPE|ETIMEDOUT|wrong version number|packet length too long/.test(
    `${error.code} ${error.message}`,
  );

/** Whether a TLS server listens there, be its certificate good or not. */
const speaksTls = ({ hostname, port }) =>
  answers(
    connectTls({ host: hostname, port: Number(port || 6379), rejectUnauthorized: false }),
    'secureConnect',
  );

/** Whether a Redis listens there without TLS. */
function speaksPlain({ hostname, port }) {
  const socket = connect({ host: hostname, port: Number(port || 6379) }, () => socket.write('PING\r\n'));
  return answers(socket, 'data');
}

function answers(socket, event) {
  return new Promise((resolve) => {
    const done = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => done(false));
    socket.once(event, () => done(true));
    socket.once('error', () => done(false));
    socket.once('close', () => done(false));
  });
}
