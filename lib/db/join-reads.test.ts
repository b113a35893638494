import { expect, it } from 'vitest';
import { joinReads } from './join-reads';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A store that answers when told to. */
function createStore(values: Record<string, number>) {
  const asked: string[][] = [];
  const answers: (() => void)[] = [];
  const load = async (keys: string[]) => {
    asked.push(keys);
    await new Promise<void>((resolve) => answers.push(resolve));
    return new Map(keys.flatMap((key) => (key in values ? [[key, values[key] as number]] : [])));
  };
  return { asked, load, answer: () => answers.shift()?.() };
}

it('[J1] reads of one turn share a query, and each gets its own value', async () => {
  const { asked, load, answer } = createStore({ a: 1, b: 2 });
  const read = joinReads(load);
  const results = Promise.all([read('a'), read('b'), read('a'), read('nobody')]);
  await turn();
  expect(asked).toEqual([['a', 'b', 'nobody']]);
  answer();
  expect(await results).toEqual([1, 2, 1, undefined]);
});

it('[J1] what comes while queries are under way waits for one of them, and is read after it', async () => {
  const { asked, load, answer } = createStore({ a: 1, b: 2, c: 3 });
  const read = joinReads(load, { atOnce: 1, most: 2 });
  const first = read('a');
  await turn();
  const later = Promise.all([read('a'), read('b'), read('c')]);
  await turn();
  expect(asked).toEqual([['a']]);
  answer();
  expect(await first).toBe(1);
  await turn();
  expect(asked).toEqual([['a'], ['a', 'b']]);
  answer();
  await turn();
  answer();
  expect(await later).toEqual([1, 2, 3]);
});

it('[C9] a query that fails fails its own reads only', async () => {
  let isDown = true;
  const read = joinReads(async (keys: string[]) => {
    if (isDown) throw new Error('no connection');
    return new Map(keys.map((key) => [key, key]));
  });
  await expect(Promise.all([read('a'), read('b')])).rejects.toThrow('no connection');
  isDown = false;
  expect(await read('a')).toBe('a');
});

it('[C9] a query without an answer holds others back for a while only, and nobody waits for it', async () => {
  const asked: string[][] = [];
  const load = async (keys: string[]) => {
    asked.push(keys);
    return asked.length === 1 ? new Promise<Map<string, string>>(() => {}) : new Map([['c', 'c']]);
  };
  const read = joinReads(load, { atOnce: 1, waitMs: 50 });
  void read('a');
  await turn();
  // The slot is free again as soon as the first read is lost; a caller that waited until then is answered or refused.
  const second = read('b').catch((error: Error) => error.name);
  expect([undefined, 'OutageError']).toContain(await second);
  expect(await read('c')).toBe('c');
});
