import { AsyncLocalStorage } from 'node:async_hooks';
import { Command, type Redis } from 'ioredis';
import { stockRedis } from '@/lib/redis/client';
import { aroundStatements } from '@/test/support/around-statements';

/** The faults that a step may meet at one of its commands to Redis or Postgres. */
export const FAULTS = [
  /** Its process dies: the command does not leave any more. */
  'dies before',
  /** Its process dies: the command is carried out. */
  'dies after',
  /** Its process stands still before the command, while other steps go on. */
  'stands still',
  /** The connection breaks: the process goes on without an answer; Redis carries the command out some steps later. */
  'breaks',
] as const;

/** `at`: the number of the command, from 1. */
export type Fault = { kind: (typeof FAULTS)[number]; at: number };

/** The driver's part in a fault: how long a process stands still, and when a command comes that was on its way. */
export type Delays = { stand(): Promise<void>; later(send: () => Promise<unknown>): void };

type Work = { fault: Fault | null; delays: Delays; commands: number; isDead: boolean; isOver: boolean };

const current = new AsyncLocalStorage<Work>();

/** Runs a step whose `fault.at`th command meets the fault. Timers and caches that outlive the step meet none. */
export async function underFault<T>(fault: Fault | null, delays: Delays, step: () => Promise<T>): Promise<T> {
  const work: Work = { fault, delays, commands: 0, isDead: false, isOver: false };
  return current.run(work, step).finally(() => {
    work.isOver = true;
  });
}

/** Runs what a step asks for itself: no command of the product, so it meets no fault. */
export const aside = <T>(look: () => Promise<T>): Promise<T> => current.exit(async () => await look());

/** The sandbox's books stand for another company's server. */
const isAnothers = (text: string) => /\bsandbox_payments\b/.test(text);

const broken = () => Object.assign(new Error('injected ECONNRESET'), { code: 'ECONNRESET' });

/** Counts the command. @returns whether it leaves as if nothing was wrong */
function leaves(work: Work | undefined): work is undefined {
  if (!work || work.isOver) return true;
  work.commands += 1;
  return !work.isDead && work.commands !== work.fault?.at;
}

/** @param later sends the command again; undefined: a command whose answer is lost has been carried out by then */
async function meet(work: Work, send: () => Promise<unknown>, later?: () => Promise<unknown>) {
  const kind = work.isDead ? 'dies before' : work.fault?.kind;
  if (kind === 'stands still') {
    await work.delays.stand();
    return send();
  }
  work.isDead = kind !== 'breaks';
  if (kind === 'breaks' && later) work.delays.later(later);
  else if (kind !== 'dies before') await send();
  throw broken();
}

/** Lets `underFault` meet the commands of this file to both stores, once; but none within a `MULTI` of Redis. */
export function meetFaults(): void {
  aroundStatements(async (text, send, rollBack) => {
    const work = current.getStore();
    if (isAnothers(text) || leaves(work)) return send();
    // The server rolls back what a process that dies has not committed.
    const isLost = text === 'COMMIT' && (work.isDead || work.fault?.kind === 'dies before');
    return meet(work, send).finally(() => (isLost ? rollBack() : null));
  });

  const redis = stockRedis() as Redis;
  // Otherwise commands would leave from wherever the pipeline was begun.
  redis.options.enableAutoPipelining = false;
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const work = current.getStore();
    if (stream || leaves(work)) return send(command, stream);
    const again = () =>
      send(new Command(command.name, [...command.args], { replyEncoding: 'utf8' })) as Promise<unknown>;
    const isHeld = !work.isDead && work.fault?.kind === 'stands still';
    meet(work, isHeld ? () => send(command) as Promise<unknown> : again, again).catch((error) =>
      command.reject(error as Error),
    );
    return command.promise;
  };
}
