import 'server-only';
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import { parseRedisUrl } from '@/lib/redis-address.mjs';
import { limitMs } from '@/lib/time-limits';
import type { RedisConnection } from './connection';

/** How soon a command meets a node again that was lost, or is not a primary yet, ms. */
const NODE_RETRY_MS = 100;
/** With that wait a command meets a shard that is away about eight times: it fails after 0.8 to 1.2 s. */
const MAX_REDIRECTIONS = 16;
/** A primary that is stopped, not dead, refuses nothing. So the map of the slots is read again every so often. */
const SLOTS_EVERY_MS = 1_000;

type Timing = { connectTimeoutMs: number; retryDelayMs: (attempt: number) => number };

/**
 * ioredis sets the time limit of a command where it sends it to a node. A command that waits for the cluster itself (no
 * node can be reached) would wait for ever.
 */
class BoundedCluster extends Cluster {
  override sendCommand(...[command, stream, node]: Parameters<Cluster['sendCommand']>): unknown {
    const { commandTimeout } = this.options.redisOptions ?? {};
    if (commandTimeout !== undefined)
      command.setTimeout(
        this.status === 'ready' ? commandTimeout : Math.min(commandTimeout, limitMs('redisAway')),
      );
    return super.sendCommand(command, stream, node);
  }
}

/**
 * Connects to what an address names.
 * @param options of the connection to one server; those of a cluster's nodes follow from them
 */
export function openConnection(url: string, options: RedisOptions, timing: Timing): RedisConnection {
  const address = parseRedisUrl(url);
  switch (address.kind) {
    case 'single':
      return new Redis(url, options);
    case 'sentinel':
      return new Redis({ ...options, ...sentinelOptions(url, timing) });
    case 'cluster':
      return new BoundedCluster(address.hosts, clusterOptions(url, options, timing));
  }
}

/**
 * - Sentinels are asked again with every new connection, for as long as it takes: a primary that nobody names yet is an
 *   outage, and `commandTimeout` ends the commands that wait for it.
 * - A primary that became a replica without breaking our connection answers READONLY: then we ask the Sentinels, and
 *   send the command again.
 */
function sentinelOptions(url: string, { connectTimeoutMs, retryDelayMs }: Timing): RedisOptions {
  const address = parseRedisUrl(url);
  const tls = address.isTls ? {} : undefined;
  return {
    sentinels: address.hosts,
    name: address.masterName,
    username: address.username,
    password: address.password,
    db: address.db,
    sentinelUsername: address.sentinelUsername,
    sentinelPassword: address.sentinelPassword,
    tls,
    sentinelTLS: tls,
    enableTLSForSentinelMode: address.isTls,
    sentinelRetryStrategy: retryDelayMs,
    sentinelCommandTimeout: connectTimeoutMs,
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
  };
}

/**
 * The options of a connection to a cluster (decision 056): a shard that is away must fail its own commands within about
 * a second, and no others.
 */
function clusterOptions(url: string, options: RedisOptions, timing: Timing) {
  const { username, password, isTls } = parseRedisUrl(url);
  const { connectTimeout, commandTimeout, socketTimeout, maxRetriesPerRequest, disableClientInfo } = options;
  return {
    // ioredis repeats a pipeline as a whole or not at all: while one slot moved, its own command failed with ASK because
    // its neighbours' answers had arrived. A command without a key would follow its first argument to a dead shard.
    enableAutoPipelining: false,
    enableOfflineQueue: true,
    // With one shard down `cluster_state` may be `fail`, and every command of every shard would wait.
    enableReadyCheck: false,
    scaleReads: 'master',
    maxRedirections: MAX_REDIRECTIONS,
    // Commands of a lost node are sent again to any node that answers, which knows the new primary. Every script is
    // idempotent by its caller's key.
    retryDelayOnFailover: NODE_RETRY_MS,
    retryDelayOnClusterDown: NODE_RETRY_MS,
    retryDelayOnTryAgain: NODE_RETRY_MS,
    slotsRefreshTimeout: limitMs('redisSlots'),
    // A stopped primary is left for the one promoted in its place.
    slotsRefreshInterval: SLOTS_EVERY_MS,
    clusterRetryStrategy: timing.retryDelayMs,
    // TLS compares the certificate with the host name.
    dnsLookup: (name: string, done: (error: null, address: string) => void) => done(null, name),
    redisOptions: {
      username,
      password,
      tls: isTls ? {} : undefined,
      enableReadyCheck: false,
      connectTimeout,
      commandTimeout,
      socketTimeout,
      maxRetriesPerRequest,
      disableClientInfo,
    },
  } satisfies ClusterOptions;
}
