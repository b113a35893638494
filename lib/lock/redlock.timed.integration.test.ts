import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keys } from '@/lib/redis/keys';
import { startNodes, type TestNodes } from '@/test/support/start-lock-nodes';
import { withLock } from './with-lock';

const NAME = 'redlock:one';

let servers: TestNodes;
beforeEach(async () => {
  servers = await startNodes(5);
});
afterEach(() => servers.stop());

/** Returns the holders of the lock in the servers that answer. */
const holders = async () => {
  const answers = await Promise.allSettled(servers.nodes.map((node) => node.get(keys.lockHolder(NAME))));
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
};
const lock = (options = {}) => ({
  ttlMs: 2_000,
  acquireTimeoutMs: 5_000,
  nodes: servers.nodes,
  ...options,
});

describe('a lock over five nodes', () => {
  it('[D4] is held in all, excludes others, and is released everywhere', async () => {
    const rivals = await Promise.all(
      Array.from({ length: 5 }, () =>
        withLock(NAME, lock({ acquireTimeoutMs: 0 }), async ({ remainingMs }) => {
          // The validity is the time to live minus the time that acquiring took and the possible clock drift.
          expect(remainingMs()).toBeLessThanOrEqual(2_000 - 22);
          return new Set(await holders()).size;
        }),
      ),
    );
    expect(rivals.filter(({ status }) => status === 'done').length).toBeLessThanOrEqual(1);
    const alone = await withLock(NAME, lock(), () => holders());
    expect(alone.status === 'done' && new Set(alone.value).size).toBe(1);
    expect(alone.status === 'done' && alone.value).toHaveLength(5);
    expect(await holders()).toEqual([null, null, null, null, null]);
  });

  it('[D4 D5] works with two of them dead, tokens still rising', async () => {
    const first = await withLock(NAME, lock(), async ({ fence }) => fence);
    await Promise.all([servers.kill(0), servers.kill(3)]);
    const second = await withLock(NAME, lock(), async ({ fence }) => ({ fence, holders: await holders() }));
    if (first.status !== 'done' || second.status !== 'done') throw new Error('not acquired');
    expect(second.value.holders).toHaveLength(3);
    expect(second.value.fence).toBeGreaterThan(first.value);
    expect(await holders()).toEqual([null, null, null]);
  });

  it('[D4] is not acquired with three of them dead, and nothing stays behind', async () => {
    await Promise.all([servers.kill(0), servers.kill(2), servers.kill(4)]);
    const startedAt = performance.now();
    const work = vi.fn(async () => 1);
    expect(await withLock(NAME, lock({ acquireTimeoutMs: 500 }), work)).toEqual({ status: 'not_acquired' });
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    expect(work).not.toHaveBeenCalled();
    expect(await holders()).toEqual([null, null]);
  });

  it('[D3 D4] is lost when the third dies while it is held, and given back by the rest', async () => {
    await withLock(NAME, lock({ ttlMs: 400 }), async ({ signal }) => {
      await Promise.all([servers.kill(0), servers.kill(1), servers.kill(2)]);
      await vi.waitFor(() => expect(signal.aborted).toBe(true), 10_000);
    });
    expect(await holders()).toEqual([null, null]);
  });

  it('[D4] nodes that answer nothing cost their timeout, not the lock', async () => {
    servers.freeze(1);
    servers.freeze(2);
    const result = await withLock(NAME, lock(), async ({ remainingMs }) => remainingMs());
    servers.thaw(1);
    servers.thaw(2);
    if (result.status !== 'done') throw new Error('not acquired');
    // The time that acquiring took is subtracted.
    expect(result.value).toBeLessThan(2_000 - 100);
    expect(result.value).toBeGreaterThan(1_000);
  });

  it('[D4] a lock whose time was used up by acquiring is given back', async () => {
    servers.freeze(1);
    // Three rounds of 100 ms each: in the third the keys are still there, after it the time is up.
    const result = await withLock(NAME, lock({ ttlMs: 250, acquireTimeoutMs: 0 }), async () => 1);
    servers.thaw(1);
    expect(result).toEqual({ status: 'not_acquired' });
    await vi.waitFor(async () => expect(await holders()).toEqual([null, null, null, null, null]), 10_000);
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
      await Promise.all(others.map((node) => node.set(keys.lockHolder(NAME), 'rival')));
      const result = await withLock(NAME, lock(), async ({ fence }) => fence);
      if (result.status !== 'done') throw new Error('not acquired');
      fences.push(result.value);
      await Promise.all(others.map((node) => node.del(keys.lockHolder(NAME))));
      if (fences.length === 1) await nodes[2]?.set(keys.lockFence(NAME), String(4e15));
    }
    expect(fences[1]).toBe(4e15 + 1);
    // Node 2 is not asked any more; nodes 3 and 4 know.
    expect(fences[2]).toBe(4e15 + 2);
    expect(fences[3]).toBe(4e15 + 3);
  });
});
