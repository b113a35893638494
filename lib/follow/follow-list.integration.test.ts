import { afterAll, afterEach, expect, it } from 'vitest';
import { newId } from '@/lib/ids/new-id';
import { closeRedis } from '@/lib/redis/client';
import { type FollowedList, followList } from './follow-list';

/** A list of words; each change has the number of its place. */
function wordList({ live = [] as string[] } = {}) {
  const changes: string[] = [];
  const seen = { marks: 0, reads: 0, isDown: false, gate: Promise.resolve() };
  const list: FollowedList<string[]> = followList<string[], string>({
    name: newId('list'),
    channel: newId('channel'),
    createMemory: () => [],
    readMark: async () => {
      seen.marks += 1;
      if (seen.isDown) throw new Error('down');
      return BigInt(changes.length);
    },
    async *streamLive() {
      yield live;
    },
    async *streamChanges(mark) {
      seen.reads += 1;
      await seen.gate;
      if (seen.isDown) throw new Error('down');
      for (let at = Number(mark); at < changes.length; at += 1)
        yield { changes: [changes[at] as string], mark: BigInt(at + 1) };
    },
    take: (memory, words) => memory.push(...words),
    sweep: () => {},
  });
  lists.push(list as FollowedList<unknown>);
  return { list, changes, seen };
}

const lists: FollowedList<unknown>[] = [];
afterEach(() => {
  for (const list of lists.splice(0)) list.stop();
});
afterAll(() => closeRedis());

it('[E3] is known once it is watched, as it stands and with every change since, each once', async () => {
  const { list, changes } = wordList({ live: ['a', 'b'] });
  expect(list.known()).toBeUndefined();
  await list.watch();
  expect(list.known()).toEqual(['a', 'b']);
  changes.push('c');
  await list.announce();
  await list.announce();
  expect(list.known()).toEqual(['a', 'b', 'c']);
});

it('[E3] that is watched twice is read once', async () => {
  const { list, seen } = wordList();
  await list.watch();
  await list.watch();
  expect(seen.marks).toBe(1);
});

it('[E3] stays in force while it can’t be read, and takes in afterwards what it missed', async () => {
  const { list, changes, seen } = wordList({ live: ['a'] });
  await list.watch();
  seen.isDown = true;
  changes.push('b');
  await list.announce();
  expect(list.known()).toEqual(['a']);
  seen.isDown = false;
  await expect.poll(() => list.known(), { timeout: 30_000 }).toEqual(['a', 'b']);
});

it('[E3] that can’t be read at the start is empty, and read as soon as it can be', async () => {
  const { list, seen } = wordList({ live: ['a'] });
  seen.isDown = true;
  await list.watch();
  expect(list.known()).toEqual([]);
  seen.isDown = false;
  await expect.poll(() => list.known(), { timeout: 30_000 }).toEqual(['a']);
});

it('[E3] a change that is announced during a reading is known when the announcement returns', async () => {
  const { list, changes, seen } = wordList();
  await list.watch();
  let open = () => {};
  seen.gate = new Promise((resolve) => {
    open = resolve;
  });
  const before = seen.reads;
  const early = list.announce();
  await expect.poll(() => seen.reads).toBeGreaterThan(before);
  changes.push('late');
  const late = list.announce();
  open();
  await Promise.all([early, late]);
  expect(list.known()).toEqual(['late']);
});

it('[E3] is forgotten when it stops, and an announcement of a list that nobody watches here does nothing', async () => {
  const { list, seen } = wordList({ live: ['a'] });
  await list.watch();
  list.stop();
  list.stop();
  expect(list.known()).toBeUndefined();
  const before = seen.reads;
  await list.announce();
  expect(seen.reads).toBe(before);
});
