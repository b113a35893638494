import { lockedContestant } from '../support/locked-contestant';
import type { Strategy } from '../types';

/**
 * Redlock: a holder has the lock on a majority of three independent Redis servers. A buyer who fails tries again after
 * a random pause, so that split votes don't repeat. Right while clocks and pauses behave: like any lock that expires it
 * needs a fence (Kleppmann, "How to do distributed locking"). Costs three times the commands of one lock.
 */
export const lockRedlock: Strategy = {
  name: 'lock-redlock',
  title: 'Lock: Redlock on 3 servers',
  source: 'Redis documentation, "Distributed Locks with Redis"',
  isCorrect: true,
  processes: 2,
  create: (stores) => lockedContestant(stores, stores.lockUrls, { acquireTimeoutMs: 500 }),
};
