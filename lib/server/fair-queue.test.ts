import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFairQueue, type FairQueue, type FairQueueLimits, type Turn } from './fair-queue';

const LIMITS: FairQueueLimits = {
  atOnce: 2,
  atOnceOfClient: 2,
  waiting: 100,
  waitingOfClient: 50,
  waitMs: 60_000,
};

afterEach(() => {
  vi.useRealTimers();
});

/** Enters guests and records the order in which they get in; each leaves when told. */
function watch(queue: FairQueue) {
  const inside: string[] = [];
  const leave = new Map<string, () => void>();
  const turns = new Map<string, Turn>();
  return {
    inside,
    turns,
    enter(client: string, name = client) {
      const ticket = queue.enter(client);
      leave.set(name, ticket.leave);
      void ticket.turn.then((turn) => {
        turns.set(name, turn);
        if (turn === 'yours') inside.push(name);
      });
    },
    async leave(name: string) {
      leave.get(name)?.();
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('fair queue', () => {
  it('[N11] lets so many in at once, and the next one when one leaves', async () => {
    const queue = createFairQueue(LIMITS);
    const { enter, inside, leave } = watch(queue);
    for (const name of ['a', 'b', 'c']) enter(name);
    await settled();
    expect(inside).toEqual(['a', 'b']);
    expect(queue.counts()).toEqual({ atOnce: 2, waiting: 1, clients: 3 });
    await leave('a');
    await leave('a');
    expect(inside).toEqual(['a', 'b', 'c']);
    expect(queue.counts()).toEqual({ atOnce: 2, waiting: 0, clients: 2 });
  });

  it('[N11] lets another client in after one of a crowd, however many they are', async () => {
    const queue = createFairQueue(LIMITS);
    const { enter, inside, leave } = watch(queue);
    for (let n = 0; n < 40; n += 1) enter('crowd', `crowd ${n}`);
    enter('late');
    enter('later');
    await settled();
    for (const name of ['crowd 0', 'crowd 1', 'late', 'later']) await leave(name);
    expect(inside).toEqual(['crowd 0', 'crowd 1', 'late', 'later', 'crowd 2', 'crowd 3']);
    for (const client of ['x', 'y']) enter(client);
    await settled();
    for (const name of ['crowd 2', 'crowd 3', 'x', 'y']) await leave(name);
    expect(inside.slice(6)).toEqual(['x', 'y', 'crowd 4', 'crowd 5']);
  });

  it('[N11] leaves places to others while one client has as many as it may', async () => {
    const queue = createFairQueue({ ...LIMITS, atOnce: 4, atOnceOfClient: 2 });
    const { enter, inside, leave } = watch(queue);
    for (let n = 0; n < 5; n += 1) enter('slow', `slow ${n}`);
    enter('other');
    await settled();
    expect(inside).toEqual(['slow 0', 'slow 1', 'other']);
    await leave('slow 1');
    expect(inside).toEqual(['slow 0', 'slow 1', 'other', 'slow 2']);
  });

  it('[N11] refuses one too many of a client, and one too many of all', async () => {
    const queue = createFairQueue({ ...LIMITS, waiting: 5, waitingOfClient: 3 });
    const { enter, turns } = watch(queue);
    for (let n = 0; n < 6; n += 1) enter('a', `a ${n}`);
    await settled();
    expect(turns.get('a 5')).toBe('crowded');
    for (let n = 0; n < 3; n += 1) enter('b', `b ${n}`);
    await settled();
    expect([turns.get('b 1'), turns.get('b 2')]).toEqual([undefined, 'full']);
    expect(queue.counts()).toEqual({ atOnce: 2, waiting: 5, clients: 2 });
  });

  it('[N11] makes room in a full queue at the cost of the longest one, until all are of one length', async () => {
    const queue = createFairQueue({ ...LIMITS, waiting: 8, waitingOfClient: 4 });
    const { enter, turns, inside, leave } = watch(queue);
    for (let n = 0; n < 6; n += 1) enter('a', `a ${n}`);
    for (let n = 0; n < 4; n += 1) enter('b', `b ${n}`);
    for (let n = 0; n < 3; n += 1) enter('late', `late ${n}`);
    await settled();
    const refused = () => [...turns].filter(([, turn]) => turn === 'full').map(([name]) => name);
    expect(refused().sort()).toEqual(['a 5', 'b 3', 'late 2']);
    for (const name of ['x', 'y', 'z']) enter(name);
    await settled();
    expect(refused()).toHaveLength(6);
    expect(queue.counts()).toEqual({ atOnce: 2, waiting: 8, clients: 6 });
    // No client may have more than two now: a client's first guest still gets in, its second no longer does.
    enter('w');
    enter('w', 'w 1');
    await settled();
    expect(turns.get('w')).toBeUndefined();
    expect(turns.get('w 1')).toBe('full');
    for (let at = 0; at < 10; at += 1) await leave(inside[at] ?? '');
    expect(inside.slice(2).sort()).toEqual(['a 2', 'b 0', 'b 1', 'late 0', 'w', 'x', 'y', 'z']);
    expect(queue.counts()).toEqual({ atOnce: 0, waiting: 0, clients: 0 });
  });

  it('[N11] refuses whoever waits too long, and remembers nobody who has gone', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const queue = createFairQueue(LIMITS);
    const { enter, turns, leave } = watch(queue);
    for (const name of ['a', 'b', 'c', 'd']) enter(name);
    await leave('c');
    expect(turns.get('c')).toBe('left');
    vi.advanceTimersByTime(LIMITS.waitMs);
    await settled();
    expect(turns.get('d')).toBe('full');
    for (const name of ['a', 'b', 'c', 'd']) await leave(name);
    expect(queue.counts()).toEqual({ atOnce: 0, waiting: 0, clients: 0 });
  });

  it('[N11] keeps its counts whatever comes in whichever order', async () => {
    const queue = createFairQueue({
      ...LIMITS,
      atOnce: 5,
      atOnceOfClient: 3,
      waiting: 40,
      waitingOfClient: 9,
    });
    const tickets: { leave: () => void }[] = [];
    let inside = 0;
    for (let n = 0; n < 5_000; n += 1) {
      const ticket = queue.enter(`client ${(n * 7) % 11}`);
      void ticket.turn.then((turn) => {
        if (turn === 'yours') inside += 1;
      });
      tickets.push(ticket);
      if (n % 2 === 0) tickets.splice(n % 3 === 0 ? (n * 31) % tickets.length : 0, 1)[0]?.leave();
      const { atOnce, waiting } = queue.counts();
      expect(atOnce).toBeLessThanOrEqual(5);
      expect(waiting).toBeLessThanOrEqual(40);
    }
    for (const { leave } of tickets) leave();
    await settled();
    expect(inside).toBeGreaterThan(100);
    expect(queue.counts()).toEqual({ atOnce: 0, waiting: 0, clients: 0 });
  });
});
