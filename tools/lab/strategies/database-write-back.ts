import { databaseContestant } from '../support/database-contestant';
import { writeBackRow } from '../support/write-back';
import type { Strategy } from '../types';

/**
 * Database, read then write back: `SELECT stock`, check it, `UPDATE … SET stock = <what I read> - 1`, the way an
 * object mapper saves an entity without a version.
 *
 * Broken: lost updates. Several buyers read 57 and all write 56. The counter is wrong but never below zero, and far
 * more is sold than with the atomic decrement.
 */
export const databaseWriteBack: Strategy = {
  name: 'database-write-back',
  title: 'Database: read, then write back',
  source: 'PostgreSQL documentation, 13.2.1 Read Committed Isolation Level (lost update)',
  isCorrect: false,
  flaw: 'oversells',
  processes: 2,
  create: (stores) => databaseContestant(stores, writeBackRow),
};
