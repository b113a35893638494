import { release, spin, tryLock } from '../support/lock';
import { lockedContestant, onlyNode } from '../support/locked-contestant';
import type { Strategy } from '../types';

/**
 * Spin lock: the same lock, asked for again every 50 ms for up to 500 ms.
 *
 * Right, and slow: every buyer passes one at a time, also those who only learn that it is sold out, and luck decides
 * who waits how long. Without a fence, a holder that is paused for longer than the lock lives may still write.
 */
export const lockSpin: Strategy = {
  name: 'lock-spin',
  title: 'Lock: spin 500 ms / 50 ms',
  source: 'Redis documentation, SET: "Patterns", with waiting',
  isCorrect: true,
  processes: 2,
  create: (stores) =>
    lockedContestant(stores, stores.lockUrls.slice(0, 1), async (nodes) => {
      const node = onlyNode(nodes);
      const token = await spin(() => tryLock(node));
      return token === null ? null : { release: () => release(node, token) };
    }),
};
