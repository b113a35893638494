import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { LOCK_KEY, LOCK_TTL_MS, release, SPIN_PAUSE_MS, spin } from '../support/lock';
import { lockedContestant } from '../support/locked-contestant';
import type { Strategy } from '../types';

const CLOCK_DRIFT_MS = LOCK_TTL_MS / 100 + 2;

/** Tries once: gets a majority of the nodes while the lock is still valid, or releases everything again. */
async function tryRedlock(nodes: Redis[]): Promise<{ release(): Promise<unknown> } | null> {
  const token = randomUUID();
  const since = performance.now();
  const replies = await Promise.allSettled(
    nodes.map((node) => node.set(LOCK_KEY, token, 'PX', LOCK_TTL_MS, 'NX')),
  );
  const granted = replies.filter((reply) => reply.status === 'fulfilled' && reply.value === 'OK').length;
  const validMs = LOCK_TTL_MS - (performance.now() - since) - CLOCK_DRIFT_MS;
  const releaseAll = () => Promise.allSettled(nodes.map((node) => release(node, token)));
  if (granted > nodes.length / 2 && validMs > 0) return { release: releaseAll };
  await releaseAll();
  return null;
}

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
  create: (stores) =>
    lockedContestant(stores, stores.lockUrls, (nodes) =>
      spin(
        () => tryRedlock(nodes),
        () => SPIN_PAUSE_MS * (0.5 + Math.random()),
      ),
    ),
};
