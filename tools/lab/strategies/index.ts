import type { Strategy } from '../types';
import { databaseOptimistic } from './database-optimistic';
import { databaseReadThenUpdate } from './database-read-then-update';
import { lockRedlock } from './lock-redlock';
import { lockSetnx } from './lock-setnx';
import { lockSpin } from './lock-spin';
import { luaSingleKey } from './lua-single-key';
import { luaTotalTaken } from './lua-total-taken';
import { mutexOneProcess } from './mutex-one-process';
import { mutexTwoProcesses } from './mutex-two-processes';
import { ours } from './ours';
import { queueFirst } from './queue-first';
import { redisCheckThenIncr } from './redis-check-then-incr';
import { redisDecrThenCheck } from './redis-decr-then-check';

/** All strategies, in the order of the table. */
export const strategies: readonly Strategy[] = [
  databaseReadThenUpdate,
  databaseOptimistic,
  mutexOneProcess,
  mutexTwoProcesses,
  redisCheckThenIncr,
  redisDecrThenCheck,
  luaSingleKey,
  luaTotalTaken,
  lockSetnx,
  lockSpin,
  lockRedlock,
  queueFirst,
  ours,
];

/** Finds a strategy by its name. @throws Error on an unknown name. */
export function findStrategy(name: string): Strategy {
  const strategy = strategies.find((each) => each.name === name);
  if (!strategy) throw new Error(`there is no strategy ${name}`);
  return strategy;
}
