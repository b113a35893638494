import { describe, expect, it } from 'vitest';
import { busiest, type CpuProfile, fold } from './fold';

const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, url, lineNumber: id },
  children,
});
/** `sell` calls `write` and is called from two places; the process waits for half of the time. */
const profile: CpuProfile = {
  nodes: [
    node(1, '(root)', '', [2, 3, 6]),
    node(2, '(idle)', ''),
    node(3, 'sell', 'file:///repo/lib/sell.ts', [4, 5]),
    node(4, 'write', 'file:///repo/node_modules/ioredis/redis.js'),
    node(5, '', 'node:net'),
    node(6, 'tick', 'node:timers', [7]),
    {
      ...node(7, 'write', 'file:///repo/node_modules/ioredis/redis.js'),
      callFrame: node(4, 'write', 'file:///repo/node_modules/ioredis/redis.js').callFrame,
    },
  ],
  samples: [2, 3, 4, 5, 7, 2],
  timeDeltas: [0, 4_000, 1_000, 2_000, 500, 500],
};

describe('folding a profile', () => {
  const flame = fold([profile], '/repo/');

  it('[E10] adds up time along the stacks and counts waiting apart', () => {
    expect(flame.idleMs).toBe(4);
    expect(flame.root.totalMs).toBe(4);
    const sell = flame.root.children.get('sell lib/sell.ts:4');
    expect(sell).toMatchObject({ selfMs: 1, totalMs: 3.5 });
    const called = [...(sell?.children.values() ?? [])].map(({ name, place, totalMs }) => [
      name,
      place,
      totalMs,
    ]);
    expect(called.sort()).toEqual([
      ['(anonymous)', 'node:net:6', 0.5],
      ['write', 'ioredis/redis.js:5', 2],
    ]);
  });

  it('[E10] names the busiest functions, whoever called them', () => {
    expect(busiest(flame, 2)).toEqual([
      { name: 'write', place: 'ioredis/redis.js:5', selfMs: 2.5 },
      { name: 'sell', place: 'lib/sell.ts:4', selfMs: 1 },
    ]);
  });

  it('[E10] adds up the profiles of processes that followed one another', () => {
    const both = fold([profile, profile], '/repo/');
    expect([both.root.totalMs, both.idleMs]).toEqual([8, 8]);
    expect(both.root.children.size).toBe(flame.root.children.size);
    expect(fold([], '/repo/').root.totalMs).toBe(0);
  });
});
