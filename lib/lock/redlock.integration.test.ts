import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keys } from '@/lib/redis/keys';
import { bestOf } from '@/test/support/best-of';
import { startNodes, type TestNodes } from '@/test/support/start-lock-nodes';
import { withLock } from './with-lock';

const NAME = 'redlock:one';

let servers: TestNodes;
beforeEach(async () => {
  servers = await startNodes(5);
});
afterEach(() => servers.stop());

/** Returns the holders of the lock in the servers that are alive: asks until so many of them have answered in time. */
const holders = async (alive = 5): Promise<(string | null)[]> => {
  const answers = await Promise.allSettled(servers.nodes.map((node) => node.get(keys.lockHolder(NAME))));
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  if (found.length >= alive) return found;
  await delay(20);
  return holders(alive);
};
/** Tells nodes something until each has answered: what they are asked is given up soon, and on a busy machine too soon. */
const tell = (some: readonly Redis[], what: (node: Redis) => Promise<unknown>) =>
  vi.waitFor(() => Promise.all(some.map(what)), 60_000);
/** Long before a lock would be gone by itself. */
const GIVEN_BACK = { timeout: 20_000 };
/** So long that no stall of the machine ends a lock, or the patience of who wants it. */
const TTL_MS = 30_000;
/** What may be lost of it to clocks that differ. */
const DRIFT_MS = TTL_MS / 100 + 2;
const lock = (options = {}) => ({
  ttlMs: TTL_MS,
  acquireTimeoutMs: 60_000,
  nodes: servers.nodes,
  ...options,
});

describe('a lock over five nodes', () => {
  it('[D4] is held in all, excludes others, and is released everywhere', async () => {
    const rivals = await Promise.all(
      Array.from({ length: 5 }, () =>
        withLock(NAME, lock({ acquireTimeoutMs: 0 }), async ({ remainingMs }) => {
          // The validity is the time to live minus the time that acquiring took and the possible clock drift.
          expect(remainingMs()).toBeLessThanOrEqual(TTL_MS - DRIFT_MS);
          return new Set(await holders()).size;
        }),
      ),
    );
    expect(rivals.filter(({ status }) => status === 'done').length).toBeLessThanOrEqual(1);
    const holdAlone = () => withLock(NAME, lock(), () => holders());
    let alone = await holdAlone();
    // A node that was too slow on a busy machine does not have it: then it is taken again.
    for (let tries = 1; alone.status === 'done' && alone.value.includes(null) && tries < 5; tries += 1)
      alone = await holdAlone();
    expect(alone.status === 'done' && new Set(alone.value).size).toBe(1);
    expect(alone.status === 'done' && alone.value).toHaveLength(5);
    await expect.poll(() => holders(), GIVEN_BACK).toEqual([null, null, null, null, null]);
  });

  it('[D4 D5] works with two of them dead, tokens still rising', async () => {
    const first = await withLock(NAME, lock(), async ({ fence }) => fence);
    await Promise.all([servers.kill(0), servers.kill(3)]);
    const second = await withLock(NAME, lock(), async ({ fence }) => ({ fence, holders: await holders(3) }));
    if (first.status !== 'done' || second.status !== 'done') throw new Error('not acquired');
    expect(second.value.holders).toHaveLength(3);
    expect(second.value.fence).toBeGreaterThan(first.value);
    await expect.poll(() => holders(3), GIVEN_BACK).toEqual([null, null, null]);
  });

  it('[D4] is not acquired with three of them dead, and nothing stays behind', async () => {
    await Promise.all([servers.kill(0), servers.kill(2), servers.kill(4)]);
    const work = vi.fn(async () => 1);
    const giveUp = async () => {
      const startedAt = performance.now();
      expect(await withLock(NAME, lock({ acquireTimeoutMs: 500 }), work)).toEqual({ status: 'not_acquired' });
      return performance.now() - startedAt;
    };
    expect(await bestOf(1_500, giveUp)).toBeLessThan(1_500);
    expect(work).not.toHaveBeenCalled();
    await expect.poll(() => holders(2), GIVEN_BACK).toEqual([null, null]);
  });

  it('[D3 D4] is lost when the third dies while it is held, and given back by the rest', async () => {
    await withLock(NAME, lock({ ttlMs: 2_000 }), async ({ signal }) => {
      await Promise.all([servers.kill(0), servers.kill(1), servers.kill(2)]);
      await vi.waitFor(() => expect(signal.aborted).toBe(true), 30_000);
    });
    expect(await holders(2)).toEqual([null, null]);
  });

  it('[D4] nodes that answer nothing cost their timeout, not the lock', async () => {
    servers.freeze(1);
    servers.freeze(2);
    const result = await withLock(NAME, lock(), async ({ remainingMs }) => remainingMs());
    servers.thaw(1);
    servers.thaw(2);
    if (result.status !== 'done') throw new Error('not acquired');
    // The time that acquiring took is subtracted.
    expect(result.value).toBeLessThan(TTL_MS - DRIFT_MS - 90);
    expect(result.value).toBeGreaterThan(TTL_MS / 2);
  });

  it('[D4] a lock whose time was used up by acquiring is given back', async () => {
    servers.freeze(1);
    // Three rounds of 100 ms each: in the third the keys are still there, after it the time is up.
    const result = await withLock(NAME, lock({ ttlMs: 250, acquireTimeoutMs: 0 }), async () => 1);
    servers.thaw(1);
    expect(result).toEqual({ status: 'not_acquired' });
    await vi.waitFor(async () => expect(await holders()).toEqual([null, null, null, null, null]), 30_000);
  });

  it('[D5] the token rises although every holder meets another majority', async () => {
    const nodes = servers.nodes;
    const majorities = [
      [0, 1, 2],
      [2, 3, 4],
      [0, 3, 4],
      [0, 1, 4],
    ];
    const fences: number[] = [];
    for (const majority of majorities) {
      const others = nodes.filter((_, i) => !majority.includes(i));
      // Another holder has the other nodes, and the counters there are far behind or ahead of the clock.
      await tell(others, (node) => node.set(keys.lockHolder(NAME), 'rival'));
      const result = await withLock(NAME, lock(), async ({ fence }) => fence);
      if (result.status !== 'done') throw new Error('not acquired');
      fences.push(result.value);
      await tell(others, (node) => node.del(keys.lockHolder(NAME)));
      if (fences.length === 1)
        await tell(nodes.slice(2, 3), (node) => node.set(keys.lockFence(NAME), String(4e15)));
    }
    // A holder that a slow node made try again has counted more than once.
    expect(fences[1]).toBeGreaterThan(4e15);
    // Node 2 is not asked any more; nodes 3 and 4 know.
    expect(fences[2]).toBeGreaterThan(fences[1] ?? Number.POSITIVE_INFINITY);
    expect(fences[3]).toBeGreaterThan(fences[2] ?? Number.POSITIVE_INFINITY);
  });
});
