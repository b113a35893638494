import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { eventually } from '@/test/support/eventually';
import { createCache } from './create-cache';
import { readSyncFailures } from './sync-failures';

type Thing = { text: string };

const redis = stockRedis();
const key = keys.saleInfo;
const filter = { mayExist: () => true };
let source: Map<string, Thing>;

beforeEach(async () => {
  await redis.flushdb();
  source = new Map([['a', { text: 'old' }]]);
});
afterAll(() => Promise.all([closeRedis(), closeDb()]));

/** Makes a cache that acts like another process: each instance has its own local level. */
function instance(load = async (id: string): Promise<Thing | null> => source.get(id) ?? null) {
  const loads = vi.fn(load);
  return { ...createCache<Thing>({ name: 'thing', key, load: loads, filter }), loads };
}

/** Makes a load that has read its value and returns only when the test tells it to. */
function slowLoad() {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const load = async (id: string) => {
    const value = source.get(id) ?? null;
    await gate;
    return value;
  };
  return { load, release: () => release() };
}

describe('rebuilding', () => {
  it('[B3] several instances at once load once; the rest wait for it', async () => {
    const slow = slowLoad();
    const instances = Array.from({ length: 4 }, () => instance(slow.load));
    const finding = Promise.all(instances.map((one) => one.find('a')));
    await eventually(() => expect(instances.flatMap(({ loads }) => loads.mock.calls)).toHaveLength(1));
    slow.release();
    expect(await finding).toEqual(Array(4).fill({ text: 'old' }));
    expect(instances.flatMap(({ loads }) => loads.mock.calls)).toHaveLength(1);
  });

  it('[B3] who waits in vain loads for itself, and says what it last knew if it knows something', async () => {
    await redis.set(keys.lockHolder('thing:a'), 'a process that hangs');
    const one = instance();
    expect(await one.find('a')).toEqual({ text: 'old' });
    expect(one.loads).toHaveBeenCalledTimes(1);

    source.set('a', { text: 'new' });
    vi.useFakeTimers({ toFake: ['performance'], now: performance.now() });
    vi.advanceTimersByTime(2_000);
    try {
      expect(await one.find('a')).toEqual({ text: 'old' });
      expect(one.loads).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
    await one.forget('a');
    expect(await one.find('a')).toEqual({ text: 'new' });
  });

  it('[B6 D5] what was loaded before a change is neither stored nor remembered', async () => {
    const slow = slowLoad();
    const late = instance(slow.load);
    const other = instance();
    const finding = late.find('a');
    await eventually(() => expect(late.loads).toHaveBeenCalled());
    source.set('a', { text: 'new' });
    await other.forget('a');
    slow.release();
    // It asked before the change was complete, so either answer is right for it …
    expect(await finding).toEqual({ text: 'old' });
    // … but no later caller gets the old value from Redis.
    expect(await redis.get(key('a'))).toBeNull();
    expect(await other.find('a')).toEqual({ text: 'new' });
    expect(await instance().find('a')).toEqual({ text: 'new' });
  });

  it('[B6] a change in this process is not undone by a lookup under way', async () => {
    const slow = slowLoad();
    const one = instance(slow.load);
    const early = one.find('a');
    await eventually(() => expect(one.loads).toHaveBeenCalledTimes(1));
    source.set('a', { text: 'new' });
    await one.forget('a');
    slow.release();
    await early;
    expect(await one.find('a')).toEqual({ text: 'new' });
  });

  it('[B5] what does not exist is asked for once', async () => {
    const instances = [instance(), instance()];
    for (const one of instances) {
      for (let i = 0; i < 3; i += 1) expect(await one.find('b')).toBeNull();
    }
    expect(instances.flatMap(({ loads }) => loads.mock.calls)).toHaveLength(1);
  });

  it('[J4 B3] while the authority is away everybody is told what was last known, and only the first waits', async () => {
    const one = instance();
    await one.find('a');
    await redis.del(key('a'));
    const expires = () => eventually(() => expect(one.peek('a')).toBeUndefined());
    one.loads.mockRejectedValue(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
    await expires();
    expect(await one.find('a')).toEqual({ text: 'old' });
    await expect(one.find('b')).rejects.toThrow('gone');
    expect(one.loads).toHaveBeenCalledTimes(3);
    await expires();
    one.loads.mockImplementation(() => new Promise(() => undefined));
    expect(await one.find('a')).toEqual({ text: 'old' });
    await eventually(() => expect(one.loads).toHaveBeenCalledTimes(4));
    // That lookup still goes on.
    expect(one.peek('a')).toBeUndefined();
  });

  it('[B5 J4] while the authority is away nobody is told that a row is still missing', async () => {
    const one = instance();
    expect(await one.find('b')).toBeNull();
    await redis.del(key('b'));
    one.loads.mockRejectedValue(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
    await eventually(() => expect(one.peek('b')).toBeUndefined());
    await expect(one.find('b')).rejects.toThrow('gone');
  });

  it('[B6 J4] a change ends what was last known', async () => {
    const one = instance();
    await one.find('a');
    await one.forget('a');
    one.loads.mockRejectedValueOnce(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
    await expect(one.find('a')).rejects.toThrow('gone');
  });

  it('passes on the errors of a load, tries again next time, and leaves no lock behind', async () => {
    const one = instance();
    one.loads.mockRejectedValueOnce(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
    await expect(one.find('a')).rejects.toThrow('gone');
    expect(one.loads).toHaveBeenCalledTimes(1);
    expect(await redis.exists(keys.lockHolder('thing:a'))).toBe(0);
    expect(await one.find('a')).toEqual({ text: 'old' });
  });
});

describe('a change while Redis is away', () => {
  it('[B6] is carried there as soon as it is back, and can be seen until then', async () => {
    const one = instance();
    await one.find('a');
    expect(await redis.exists(key('a'))).toBe(1);
    redis.disconnect();
    source.set('a', { text: 'new' });
    await one.forget('a');
    await one.forget('a');
    expect(readSyncFailures()).toMatchObject([{ name: key('a'), error: expect.stringContaining('closed') }]);
    expect(await one.find('a')).toEqual({ text: 'new' });

    const attempts = readSyncFailures()[0]?.attempts ?? 0;
    await eventually(() => expect(readSyncFailures()[0]?.attempts).toBeGreaterThan(attempts));
    await redis.connect();
    await eventually(() => expect(readSyncFailures()).toEqual([]));
    expect(await redis.exists(key('a'))).toBe(0);
    expect(await instance().find('a')).toEqual({ text: 'new' });
  });
});
