import type { Redis } from 'ioredis';
import type { SimProcess } from '../sim-process';
import type { StreamEntry } from '../stores/redis';

type Word = string | number;
/**
 * An idle relay asks four times a second. Here each read blocks longer, which the relay must tolerate, so that
 * idleness costs nothing.
 */
const BLOCK_STRETCH = 20;

/**
 * Makes the Redis commands that are sent without a script, in ioredis's form, over the simulated Redis. It has only
 * those that the product uses in the simulated part: any other is a TypeError.
 */
export function redisClient(process: SimProcess): Redis {
  const { redis } = process.world;
  const ask = <T>(what: string, effect: () => T | Promise<T>) => process.call('redis', what, effect);

  const client = {
    disconnect: () => {},
    publish: async () => 0,
    hget: (key: string, field: string) => ask('HGET', () => redis.hash(key)?.get(field) ?? null),
    hmget: (key: string, ...fields: string[]) => ask('HMGET', () => hmget(key, fields)),
    hscan: (key: string) => ask('HSCAN', () => ['0', [...(redis.hash(key) ?? [])].flat()]),
    hset: (key: string, ...words: string[]) => ask(`HSET ${key}`, () => redis.hset(key, pairsOf(words))),
    unlink: (...keys: string[]) =>
      ask(`UNLINK ${keys}`, () => keys.reduce((sum, key) => sum + redis.unlink(key), 0)),
    zadd: (key: string, ...words: string[]) =>
      ask(`ZADD ${key}`, () => {
        for (const [score, member] of Object.entries(pairsOf(words))) redis.zadd(key, member, Number(score));
      }),
    // What expires here is not waited for.
    expire: (key: string) => ask(`EXPIRE ${key}`, () => 1),
    /** Only for the first. */
    zrange: (key: string, _from: '0', _to: '0', _with: 'WITHSCORES') =>
      ask('ZRANGE', () => redis.zrange(key).slice(0, 1).flat().map(String)),
    sadd: (key: string, member: string) => ask('SADD', () => redis.sadd(key, member)),
    srem: (key: string, member: string) => ask('SREM', () => redis.srem(key, member)),
    smembers: (key: string) => ask('SMEMBERS', () => redis.smembers(key)),
    xadd: (key: string, _id: '*', ...fields: Word[]) =>
      ask(`XADD ${fields[1]}`, () => redis.xadd(key, fields)),
    xlen: (key: string) => ask('XLEN', () => redis.xlen(key)),
    xrange: (key: string, from: string, _to: '+', _count: 'COUNT', count: number) =>
      ask('XRANGE', () => redis.xrange(key, from, count)),
    xgroup: (_create: 'CREATE', key: string, group: string) =>
      ask('XGROUP CREATE', () => redis.xgroupCreate(key, group)),
    xautoclaim: (
      key: string,
      group: string,
      consumer: string,
      idleMs: number,
      _0: '0',
      _c: 'COUNT',
      count: number,
    ) => ask('XAUTOCLAIM', () => ['0-0', redis.xautoclaim(key, group, consumer, idleMs, count), []]),
    xclaim: (key: string, group: string, consumer: string, _idle: 0, ...ids: string[]) =>
      ask('XCLAIM', () => redis.xclaim(key, group, consumer, ids.slice(0, -1))),
    xreadgroup: (...words: Word[]) => ask('XREADGROUP', () => xreadgroup(words)),
    multi: () => multi([]),
  };

  function hmget(key: string, fields: readonly string[]) {
    return fields.map((field) => redis.hash(key)?.get(field) ?? null);
  }

  /** Parses and runs `GROUP group consumer COUNT n [BLOCK ms] STREAMS key… >…` */
  function xreadgroup(words: readonly Word[]): Promise<[string, StreamEntry[]][] | null> {
    const [, group, consumer] = words.map(String) as [string, string, string];
    const numberAfter = (name: string) => Number(words[words.indexOf(name) + 1]);
    const streams = words.slice(words.indexOf('STREAMS') + 1).map(String);
    const keys = streams.slice(0, streams.length / 2);
    const read = () => {
      const found = keys.map((key): [string, StreamEntry[]] => [
        key,
        redis.xreadgroup(key, group, consumer, numberAfter('COUNT')),
      ]);
      const full = found.filter(([, entries]) => entries.length > 0);
      return full.length > 0 ? full : null;
    };
    const now = read();
    if (now || !words.includes('BLOCK')) return Promise.resolve(now);
    return new Promise((resolve, reject) => {
      const stop = redis.onAppend(() => process.world.time.after(0, () => look(false)));
      const cancel = process.world.time.after(numberAfter('BLOCK') * BLOCK_STRETCH, () => look(true));
      const look = (isOver: boolean) => {
        try {
          const found = process.isAlive ? read() : null;
          if (!found && !isOver && process.isAlive) return;
          stop();
          cancel();
          resolve(found);
        } catch (error) {
          stop();
          cancel();
          reject(error);
        }
      };
    });
  }

  /** Makes a MULTI: the queued commands take effect in one step. */
  function multi(queued: readonly (() => unknown)[]) {
    const also = (command: () => unknown) => multi([...queued, command]);
    return {
      xack: (key: string, group: string, ...ids: string[]) => also(() => redis.xack(key, group, ids)),
      xdel: (key: string, ...ids: string[]) => also(() => redis.xdel(key, ids)),
      hmget: (key: string, ...fields: string[]) => also(() => hmget(key, fields)),
      zrank: (key: string, member: string) => also(() => redis.zrank(key, member)),
      zcard: (key: string) => also(() => redis.zcard(key)),
      xinfo: (_stream: 'STREAM', key: string) => also(() => ['entries-added', redis.xadded(key) ?? 0]),
      exec: () => ask('EXEC', () => queued.map((command) => [null, command()])),
    };
  }

  return client as unknown as Redis;
}

/** Returns words that come in pairs as an object. */
const pairsOf = (words: readonly string[]): Record<string, string> =>
  Object.fromEntries(words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? '']] : [])));
