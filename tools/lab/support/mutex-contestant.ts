import pLimit from 'p-limit';
import type { Contestant, Stores } from '../types';
import { databaseContestant } from './database-contestant';
import { writeBackRow } from './write-back';

/** Makes a contestant that reads and writes back under a mutex in this process's memory. */
export function mutexContestant(stores: Stores): Contestant {
  const mutex = pLimit(1);
  return databaseContestant(stores, (pool, userId) => mutex(() => writeBackRow(pool, userId)));
}
