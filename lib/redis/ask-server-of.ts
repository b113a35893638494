import 'server-only';
import { Command } from 'ioredis';
import { isCluster, type RedisConnection } from './connection';
import { slotOf } from './slot-of';

/**
 * Sends a command without keys to the server that holds `key`: `TIME` must come from the clock that decides about a sale,
 * and `PING` must say whether that server answers.
 */
export async function askServerOf(
  redis: RedisConnection,
  key: string,
  name: 'time' | 'ping',
): Promise<unknown> {
  if (!isCluster(redis)) return redis[name]();
  const command = new Command(name, [], { replyEncoding: 'utf8' });
  command.getSlot = () => slotOf(key);
  redis.sendCommand(command);
  return command.promise;
}

/** Asks the clock of the server that holds `key`. @returns as `TIME` does */
export const timeAt = (redis: RedisConnection, key: string): Promise<(string | number)[]> =>
  isCluster(redis) ? (askServerOf(redis, key, 'time') as Promise<string[]>) : redis.time();

/** Names the server that holds `key`, as far as this process knows; every key has the same one without a cluster. */
export function serverOf(redis: RedisConnection, key: string): string {
  return isCluster(redis) ? (redis.slots[slotOf(key)]?.[0] ?? '') : '';
}
