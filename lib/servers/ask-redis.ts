import 'server-only';
import { Redis, type RedisOptions } from 'ioredis';
import { processWide } from '@/lib/process-wide';
import { trackConnection } from '@/lib/redis/client';
import type { parseRedisUrl } from '@/lib/redis-address.mjs';
import { limitMs } from '@/lib/time-limits';

const RECONNECT_MS = 1_000;

type Address = ReturnType<typeof parseRedisUrl>;
/** A server by name, with the address that tells how one signs in there. */
type AskedServer = { node: string; address: Address; isSentinel?: boolean };

const held = processWide('asked-redis', () => new Map<string, Redis>());

/**
 * Asks one server, on a connection kept for such questions: how the whole is doing must not depend on the connection that
 * sells, which leaves a lost node at once.
 * @returns null if it does not answer within a second
 */
export async function askRedis(server: AskedServer, ...command: [string, ...string[]]): Promise<unknown> {
  const [name, ...args] = command;
  try {
    return await connectionTo(server).call(name, ...args);
  } catch {
    return null;
  }
}

function connectionTo({ node, address, isSentinel = false }: AskedServer): Redis {
  const key = `${isSentinel ? 'sentinel' : 'server'} ${node}`;
  const known = held.get(key);
  if (known && known.status !== 'end') return known;
  const colon = node.lastIndexOf(':');
  const user = isSentinel
    ? { username: address.sentinelUsername, password: address.sentinelPassword }
    : { username: address.username, password: address.password };
  const options: RedisOptions = {
    host: node.slice(0, colon).replace(/^\[|\]$/g, ''),
    port: Number(node.slice(colon + 1)),
    ...user,
    tls: address.isTls ? {} : undefined,
    connectTimeout: limitMs('serverAnswer'),
    commandTimeout: limitMs('serverAnswer'),
    socketTimeout: 2 * limitMs('serverAnswer'),
    retryStrategy: () => RECONNECT_MS,
    maxRetriesPerRequest: 1,
    enableReadyCheck: false,
    disableClientInfo: true,
  };
  const made = new Redis(options);
  made.on('error', () => {});
  trackConnection(made);
  held.set(key, made);
  return made;
}
