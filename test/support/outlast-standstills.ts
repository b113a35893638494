import { Command, Redis } from 'ioredis';
import pg from 'pg';
import { CUT } from '@/lib/errors/within';

const PARTS = 10;

/**
 * Lets limits of how long a command to Redis, a statement of Postgres or anything awaited `within` a time may take run in
 * parts, each begun when the one before is over. They last as long as before where a server is silent. Where the whole
 * machine stands still for seconds, servers and all, such a standstill is one part at most: answers that come right after
 * it are still taken.
 */
export function outlastStandstills(): void {
  CUT.parts = PARTS;
  // Files share processes, and the packages with them.
  if (Reflect.has(Redis, isDone)) return;
  Reflect.set(Redis, isDone, true);
  runInParts(Command.prototype, 'setTimeout');
  runInParts(Redis.prototype, 'setSocketTimeout');
  runInParts(pg.Client.prototype, 'query');
}

const isDone = Symbol.for('seckill.outlastStandstills');

/** Has the timer that a method starts run in parts. */
function runInParts(prototype: object, name: string): void {
  const method: (...given: unknown[]) => unknown = Reflect.get(prototype, name);
  Reflect.set(prototype, name, function (this: unknown, ...given: unknown[]) {
    const usual = globalThis.setTimeout;
    globalThis.setTimeout = ((work: () => void, ms: number) => {
      let left = PARTS;
      const timer = usual(() => {
        left -= 1;
        if (left > 0) timer.refresh();
        else work();
      }, ms / PARTS);
      return timer;
    }) as typeof setTimeout;
    try {
      return method.apply(this, given);
    } finally {
      globalThis.setTimeout = usual;
    }
  });
}
