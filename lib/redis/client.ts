import { processWide } from '@/lib/process-wide';
import 'server-only';
import { Redis, type RedisOptions } from 'ioredis';
import { env } from '@/lib/env';
import { parseRedisUrl } from '@/lib/redis-address.mjs';
import { limitMs } from '@/lib/time-limits';
import { isCluster, type RedisConnection } from './connection';
import { openConnection } from './open-connection';

const RECONNECT_MIN_MS = 50;
const RECONNECT_MAX_MS = 500;

/**
 * The usual options of a connection: a request must learn within about a second that Redis is down, so that the shopper
 * gets an honest 503. ioredis repeats commands that were in flight when a connection broke. That is safe: every script
 * that changes something is idempotent by its caller's key.
 */
const options = (): RedisOptions => ({
  enableAutoPipelining: true,
  // A process issues its first command before its connection is up, and a command should wait for a reconnect of 50 ms.
  enableOfflineQueue: true,
  // While Redis loads its file, commands fail at once with LOADING and don't wait for the end.
  enableReadyCheck: false,
  // Empties the offline queue with an error at every second failed connect: within 0.87 s here.
  maxRetriesPerRequest: 1,
  connectTimeout: limitMs('redisConnect'),
  // Ends commands to a Redis that is reachable but silent. ioredis 6 keeps those it wants to repeat outside the queue
  // that `maxRetriesPerRequest` empties, so nothing else ends them. `socketTimeout` then closes the connection.
  commandTimeout: limitMs('redisCommand'),
  socketTimeout: limitMs('redisSilence'),
  retryStrategy: reconnectDelayMs,
  disableClientInfo: true,
});

/** The longest `BLOCK` a caller may ask for. */
const MAX_BLOCK_MS = 10_000;

function reconnectDelayMs(attempt: number): number {
  return Math.min(RECONNECT_MIN_MS * 2 ** Math.min(attempt - 1, 10), RECONNECT_MAX_MS);
}

const timing = () => ({ connectTimeoutMs: limitMs('redisConnect'), retryDelayMs: reconnectDelayMs });

type Connections = { stock?: RedisConnection; cache?: RedisConnection; open: Set<RedisConnection> };

const held = processWide('redis', (): Connections => ({ open: new Set() }));

function connect(url: string, overrides: RedisOptions = {}): RedisConnection {
  const redis = openConnection(url, { ...options(), ...overrides }, timing());
  // ioredis prints every failed connect if nothing listens. The commands that fail carry the same error to a caller who
  // knows what it was doing, so we don't report it a second time.
  redis.on('error', () => {});
  trackConnection(redis);
  return redis;
}

/** Lets `closeRedis` close a connection that another module has made. */
export function trackConnection(redis: RedisConnection): void {
  const { open } = held;
  open.add(redis);
  redis.once('end', () => open.delete(redis));
}

/** The connection to the Redis that holds stock, buyers and outboxes. One per process, opened at first use. */
export function stockRedis(): RedisConnection {
  held.stock ??= connect(env().redisUrl);
  return held.stock;
}

/** The connection for all that may be lost: caches, limits, locks. The stock connection if both are one server. */
export function cacheRedis(): RedisConnection {
  const { redisUrl, cacheRedisUrl } = env();
  if (cacheRedisUrl === redisUrl) return stockRedis();
  held.cache ??= connect(cacheRedisUrl);
  return held.cache;
}

/**
 * Opens a connection to the stock Redis for blocking reads (`XREADGROUP … BLOCK`, at most `MAX_BLOCK_MS`), which would hold
 * up everybody on a shared one. Not pipelined. A blocking read without an answer 2 s after its time is up resolves to
 * null, as if there was nothing to read. The caller disconnects it, or `closeRedis` does.
 */
export function blockingRedis(): RedisConnection {
  return connect(env().redisUrl, {
    enableAutoPipelining: false,
    commandTimeout: undefined,
    blockingTimeout: MAX_BLOCK_MS,
    blockingTimeoutGrace: limitMs('redisBlockGrace'),
    socketTimeout: MAX_BLOCK_MS + limitMs('redisBlockGrace'),
  });
}

/** Options for questions to one server that no other may answer: they wait for no connection, and are lost with it. */
const once = (): RedisOptions => ({
  ...options(),
  enableAutoPipelining: false,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
});

/**
 * Opens a connection that asks a server what its replicas have (`replicas-ack.ts`). A question is lost with the
 * connection: another server might answer it.
 * @param server of a cluster, `host:port`; empty: whatever the address names
 */
export function confirmingRedis(server: string): Redis {
  const url = env().redisUrl;
  return parseRedisUrl(url).kind === 'cluster'
    ? nodeRedis(server)
    : listening(openConnection(url, once(), timing()) as Redis);
}

/** Opens a connection to one server beside or behind those that `REDIS_URL` names, as the same user. @param server `host:port` */
export function nodeRedis(server: string): Redis {
  const { username, password, isTls } = parseRedisUrl(env().redisUrl);
  const colon = server.lastIndexOf(':');
  const [host, port] = [server.slice(0, colon), Number(server.slice(colon + 1))];
  return listening(new Redis({ ...once(), host, port, username, password, tls: isTls ? {} : undefined }));
}

/** A subscriber asks for a sign of life this often, ms. */
const HEARTBEAT_MS = 1_000;

/**
 * Opens a connection for `SUBSCRIBE` alone. It may be silent for as long as nobody publishes, and reconnects for ever;
 * `lib/redis/subscribe.ts` subscribes again each time. With several servers, the others go on publishing while ours is
 * stopped. So it must give signs of life, and on a cluster each new try goes to the next node.
 */
export function subscriberRedis(): Redis {
  const url = env().redisUrl;
  const address = parseRedisUrl(url);
  const quiet: RedisOptions = {
    ...options(),
    enableAutoPipelining: false,
    autoResubscribe: false,
    enableOfflineQueue: false,
    commandTimeout: undefined,
    socketTimeout: undefined,
    keepAlive: limitMs('redisSilence'),
  };
  if (address.kind === 'single') return listening(new Redis(url, quiet));
  const watched = { ...quiet, socketTimeout: limitMs('redisSilence') };
  if (address.kind === 'sentinel')
    return listening(openConnection(url, watched, timing()) as Redis, HEARTBEAT_MS);
  const { username, password, isTls } = address;
  let turn = Math.floor(Math.random() * address.hosts.length);
  const redis: Redis = new Redis({
    ...watched,
    ...nodeAt(turn),
    username,
    password,
    tls: isTls ? {} : undefined,
    retryStrategy(attempt) {
      turn += 1;
      Object.assign(redis.options, nodeAt(turn));
      return reconnectDelayMs(attempt);
    },
  });
  return listening(redis, HEARTBEAT_MS);
}

/** Returns one of the nodes of the cluster, as far as this process knows them. */
function nodeAt(turn: number): { host?: string; port?: number } {
  const stock = stockRedis();
  const known = isCluster(stock) ? stock.nodes().map(({ options: { host, port } }) => ({ host, port })) : [];
  const nodes = known.length > 0 ? known : parseRedisUrl(env().redisUrl).hosts;
  return nodes[turn % nodes.length] ?? {};
}

function listening(redis: Redis, heartbeatMs?: number): Redis {
  redis.on('error', () => {});
  trackConnection(redis);
  if (heartbeatMs !== undefined) {
    // An unanswered one closes the connection, by `socketTimeout`.
    const beat = setInterval(() => redis.status === 'ready' && redis.ping().catch(() => {}), heartbeatMs);
    beat.unref();
    redis.once('end', () => clearInterval(beat));
  }
  return redis;
}

/** Closes every connection of this process: when its commands in flight are answered, or at once if Redis is gone. */
export async function closeRedis(): Promise<void> {
  const closing = [...held.open];
  Object.assign(held, { stock: undefined, cache: undefined, open: new Set() });
  await Promise.all(closing.map((redis) => redis.quit().catch(() => redis.disconnect())));
}
