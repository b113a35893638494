import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBroadcast, inSlices } from './events-send';

/** Only the work takes time, whatever else this machine does. */
let clockMs = 0;
const workFor = (ms: number) => {
  clockMs += ms;
};
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => clockMs);
});
afterEach(() => vi.restoreAllMocks());
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('inSlices', () => {
  it('[A3] visits each once and lets others work meanwhile', async () => {
    const visited: number[] = [];
    let turns = 0;
    let isOver = false;
    const others = (async () => {
      for (; !isOver; turns += 1) await nextTurn();
    })();
    const items = Array.from({ length: 1_000 }, (_, at) => at);
    await inSlices(items, (item) => {
      visited.push(item);
      workFor(0.1);
    });
    isOver = true;
    await others;
    expect(visited.sort((a, b) => a - b)).toEqual(items);
    // 100 ms of work in slices of 8 ms, each rounded up to 16 visits.
    expect(turns).toBeGreaterThanOrEqual(6);
  });

  it('[A3] does nothing for nobody', async () => {
    await inSlices([], () => expect.unreachable());
  });
});

describe('createBroadcast', () => {
  it.each([
    ['the opening to everybody before anything else is done', true, 0],
    ['other news while others work', false, 1],
  ])('[A3] tells %s', async (_what, isOpening, atLeast) => {
    const told: number[] = [];
    const broadcast = createBroadcast(
      () => Array.from({ length: 160 }, (_, at) => at),
      (reader) => {
        told.push(reader);
        workFor(0.1);
      },
    );
    broadcast(Buffer.from('a'), isOpening);
    let turns = 0;
    for (; told.length < 160; turns += 1) await nextTurn();
    expect(Math.min(turns, 1)).toBe(atLeast);
  });

  it('[A3] gives everybody the last state, and nobody an older one after it', async () => {
    const readers = Array.from({ length: 200 }, () => [] as string[]);
    const broadcast = createBroadcast(
      () => [...readers],
      (reader, bytes) => {
        reader.push(bytes.toString());
        workFor(0.1);
      },
    );
    for (const state of ['a', 'b', 'c']) broadcast(Buffer.from(state));
    await nextTurn();
    broadcast(Buffer.from('d'));
    while (readers.some((reader) => reader.at(-1) !== 'd')) await nextTurn();
    for (const reader of readers) {
      expect([...reader].sort()).toEqual(reader);
      // A message replaced by a newer one while it waited was not sent at all.
      expect(reader).not.toContain('b');
    }
  });
});
