import { release, tryLock } from '../support/lock';
import { lockedContestant, onlyNode } from '../support/locked-contestant';
import type { Strategy } from '../types';

/**
 * SETNX lock: `SET lock token NX PX`; who doesn't get it is turned away at once.
 *
 * Never oversells, but undersells: of all who ask while one works, only that one gets anywhere. The rest are refused
 * with the shelf still full, and those who come late get what those who came first were denied.
 */
export const lockSetnx: Strategy = {
  name: 'lock-setnx',
  title: 'Lock: SET NX, no waiting',
  source: 'Redis documentation, SET: "Patterns"',
  isCorrect: false,
  flaw: 'undersells',
  processes: 2,
  create: (stores) =>
    lockedContestant(stores, stores.lockUrls.slice(0, 1), async (nodes) => {
      const node = onlyNode(nodes);
      const token = await tryLock(node);
      return token === null ? null : { release: () => release(node, token) };
    }),
};
