import { lockedContestant } from '../support/locked-contestant';
import type { Strategy } from '../types';

/**
 * Spin lock: the same lock, tried again every 50 ms for up to 500 ms.
 *
 * Right, and slow: buyers pass one at a time, even those who only learn that it is sold out, and luck decides how
 * long each waits. Without a fence, a holder that is paused for longer than the lock lives may still write.
 */
export const lockSpin: Strategy = {
  name: 'lock-spin',
  title: 'Lock: spin 500 ms / 50 ms',
  source: 'Redis documentation, SET: "Patterns", with waiting',
  isCorrect: true,
  processes: 2,
  create: (stores) => lockedContestant(stores, stores.lockUrls.slice(0, 1), { acquireTimeoutMs: 500 }),
};
