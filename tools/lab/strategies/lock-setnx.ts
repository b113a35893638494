import { lockedContestant } from '../support/locked-contestant';
import type { Strategy } from '../types';

/**
 * SETNX lock: `SET lock token NX PX`; a buyer who doesn't get it is turned away at once.
 *
 * Never oversells, but undersells. Of all buyers who ask while one holds the lock, only the holder can buy. The
 * others are refused while units are left, and later buyers get what earlier ones were denied.
 */
export const lockSetnx: Strategy = {
  name: 'lock-setnx',
  title: 'Lock: SET NX, no waiting',
  source: 'Redis documentation, SET: "Patterns"',
  isCorrect: false,
  flaw: 'undersells',
  processes: 2,
  create: (stores) => lockedContestant(stores, stores.lockUrls.slice(0, 1), { acquireTimeoutMs: 0 }),
};
