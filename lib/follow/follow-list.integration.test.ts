import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { log } from '@/lib/http/log';
import { newId } from '@/lib/ids/new-id';
import { closeRedis } from '@/lib/redis/client';
import { eventually } from '@/test/support/eventually';
import { followList } from './follow-list';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.restoreAllMocks();
});
afterAll(closeRedis);

/** A list of words, as if in Postgres: `rows` are its changes. `beforeRead` may fail or hang. */
function followWords() {
  const source = { rows: ['a'], beforeRead: async () => {} };
  const list = followList<{ words: string[] }, string>({
    name: newId('list'),
    channel: newId('channel'),
    createMemory: () => ({ words: [] }),
    readMark: async () => BigInt(source.rows.length),
    async *streamLive(mark) {
      await source.beforeRead();
      yield source.rows.slice(0, Number(mark));
    },
    async *streamChanges(mark) {
      await source.beforeRead();
      const { length } = source.rows;
      if (BigInt(length) > mark) yield { changes: source.rows.slice(Number(mark)), mark: BigInt(length) };
    },
    take: (memory, changes) => memory.words.push(...changes),
    sweep: () => {},
  });
  stops.push(list.stop);
  return { source, list, words: () => list.known()?.words };
}

it('[G8 B8] a list is known once it is watched, and a change once it is announced', async () => {
  const { source, list, words } = followWords();
  expect(words()).toBeUndefined();
  await list.watch();
  expect(words()).toEqual(['a']);
  source.rows.push('b');
  await list.announce();
  expect(words()).toEqual(['a', 'b']);
  // Also one that nobody announced.
  source.rows.push('c');
  await eventually(() => expect(words()).toEqual(['a', 'b', 'c']));
});

it('[G8 J4] what is known stays in force while the list can’t be read, is said once, and goes on without a gap', async () => {
  const said = vi.spyOn(log, 'warn');
  const { source, list, words } = followWords();
  await list.watch();
  let tries = 0;
  source.beforeRead = async () => {
    tries += 1;
    throw new Error('away');
  };
  source.rows.push('b', 'c');
  await list.announce();
  await eventually(() => expect(tries).toBeGreaterThan(2));
  expect(words()).toEqual(['a']);
  expect(said).toHaveBeenCalledTimes(1);
  source.beforeRead = async () => {};
  await eventually(() => expect(words()).toEqual(['a', 'b', 'c']));
});

it('[G8] a list that can’t be read at the start is read later, from its beginning', async () => {
  vi.spyOn(log, 'warn');
  const { source, list, words } = followWords();
  source.beforeRead = () => Promise.reject(new Error('away'));
  await list.watch();
  expect(words()).toEqual([]);
  source.beforeRead = async () => {};
  await eventually(() => expect(words()).toEqual(['a']));
});
