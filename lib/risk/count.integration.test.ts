import { afterAll, describe, expect, it } from 'vitest';
import { newId } from '@/lib/ids/new-id';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { type Counter, countEvents } from './count-events';
import { countMember } from './count-members';

afterAll(closeRedis);

const START_MS = 1_800_000_000_000;
const counterOf = (windowSec: number, metric: Counter['metric'] = 'purchase_requests'): Counter => ({
  metric,
  windowSec,
  kind: 'user',
  value: newId('user'),
});

/** Makes a generator that returns the same numbers each time. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

describe('counting events', () => {
  it.each([60, 3_600, 86_400])(
    '[G12] in a window of %i s agrees with a model, over many windows',
    async (windowSec) => {
      const random = createRandom(windowSec);
      const counter = counterOf(windowSec);
      const partMs = (windowSec * 1000) / 60;
      const seen: { part: number; events: number }[] = [];
      let nowMs = START_MS;
      for (let n = 0; n < 200; n += 1) {
        nowMs += random(windowSec * 60);
        const events = 1 + random(3);
        seen.push({ part: Math.floor(nowMs / partMs), events });
        const expected = seen
          .filter(({ part }) => part > Math.floor(nowMs / partMs) - 60)
          .reduce((sum, each) => sum + each.events, 0);
        expect(await countEvents(counter, events, nowMs)).toBe(expected);
      }
    },
  );

  it('[G12] never counts what is older than the window, and nearly all that is younger', async () => {
    const counter = counterOf(60);
    await countEvents(counter, 5, START_MS);
    expect(await countEvents(counter, 1, START_MS + 58_999)).toBe(6);
    expect(await countEvents(counter, 1, START_MS + 60_000)).toBe(2);
  });

  it('[G12] of many at once counts each', async () => {
    const counter = counterOf(3_600);
    const counts = await Promise.all(Array.from({ length: 300 }, () => countEvents(counter, 1)));
    expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, n) => n + 1));
  });

  it('[G12] keeps at most 60 numbers of a subject, and none after its window', async () => {
    const counter = counterOf(60);
    for (let n = 0; n < 150; n += 1) await countEvents(counter, 1, START_MS + n * 1_000);
    const key = keys.riskCount(counter.metric, 60, 'user', counter.value);
    expect(await cacheRedis().hlen(key)).toBe(60);
    expect(await cacheRedis().pttl(key)).toBeLessThanOrEqual(61_000);
    expect(await cacheRedis().pttl(key)).toBeGreaterThan(0);
  });
});

describe('counting orders and accounts', () => {
  it('[G12] counts each once however often it is told, and forgets it after the window', async () => {
    const counter = counterOf(3_600, 'unpaid_orders');
    const tell = (member: string, atMs: number, nowMs = atMs) => countMember(counter, member, atMs, nowMs);
    expect(await tell('1', START_MS)).toBe(1);
    expect(await tell('1', START_MS)).toBe(1);
    expect(await tell('2', START_MS + 1_000)).toBe(2);
    // The same member is reported again, as after a restart.
    expect(await tell('1', START_MS, START_MS + 2_000)).toBe(2);
    expect(await tell('3', START_MS + 3_600_000)).toBe(2);
    expect(await tell('1', START_MS, START_MS + 3_600_500)).toBe(2);
    expect(await tell('4', START_MS + 3_601_000)).toBe(2);
  });

  it('[G12] of many at once counts each', async () => {
    const counter = counterOf(3_600, 'unpaid_orders');
    const counts = await Promise.all(
      Array.from({ length: 300 }, (_, n) => countMember(counter, String(n % 150))),
    );
    expect(Math.max(...counts)).toBe(150);
  });
});
