import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { cases } from '@/test/support/random';
import { claimTry, settleTry } from './claim-try';
import { createTriesInMemory } from './tries-in-memory';
import { claimInRedis, settleInRedis } from './tries-in-redis';
import type { Claim, TryCounter } from './types';

const START = 1_800_000_000_000;
const counter = (name: string, more: Partial<TryCounter> = {}): TryCounter => ({
  key: keys.tries('test', 'any', name),
  kind: 'ahead',
  free: 5,
  keepMs: 86_400_000,
  ...more,
});

beforeEach(() => cacheRedis().flushdb());
afterAll(closeRedis);

describe('tries', () => {
  it('[N4] some failures are free, then each costs a wait twice as long, up to a quarter of an hour', async () => {
    const waits: number[] = [];
    let now = START;
    for (let failures = 1; failures <= 18; failures += 1) {
      const result = await claimInRedis([counter('one')], now);
      if (result.status !== 'go') throw new Error(`waits ${result.waitMs} after ${failures - 1}`);
      await settleInRedis(result.claim, 'failed', now);
      const next = await claimInRedis([counter('one', { kind: 'late', free: 99 })], now);
      waits.push(next.status === 'wait' ? next.waitMs / 1_000 : 0);
      now += (waits.at(-1) as number) * 1_000;
    }
    expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900]);
  });

  it('[N4] tries at the same time find no more room than tries one after the other', async () => {
    const asked = Array.from({ length: 50 }, () => claimTry([counter('crowd')]));
    const let_ = (await Promise.all(asked)).filter(({ status }) => status === 'go');
    expect(let_).toHaveLength(5);
  });

  it('[N4] a success forgets the failures of who succeeded; what counts late gives only this try back', async () => {
    const [own, shared] = [counter('own'), counter('shared', { kind: 'late', free: 2 })];
    for (let n = 0; n < 4; n += 1) {
      const result = await claimInRedis([own, shared], START + n * 100_000);
      if (result.status === 'go') await settleInRedis(result.claim, n < 3 ? 'failed' : 'succeeded', START);
      expect(result.status).toBe('go');
    }
    const [ofOwn, ofShared] = await Promise.all([own, shared].map(({ key }) => cacheRedis().get(key)));
    expect(ofOwn).toBeNull();
    expect(ofShared).toMatch(/^3 /);
  });

  it('[N4] what counts late lets any number of good tries through at once', async () => {
    const shared = counter('office', { kind: 'late', free: 3 });
    const many = await Promise.all(Array.from({ length: 100 }, () => claimTry([shared])));
    expect(many.filter(({ status }) => status === 'go')).toHaveLength(100);
  });

  it('[N4] a full gauge leaves fewer free tries, to be had again when its window is over', async () => {
    const gauge = counter('gauge', { kind: 'gauge', free: 3, keepMs: 60_000 });
    const own = (name: string) => counter(name, { tight: 1 });
    const failAt = async (name: string, now: number) => {
      const result = await claimInRedis([own(name), gauge], now);
      if (result.status === 'go') return settleInRedis(result.claim, 'failed', now);
      return result.waitMs;
    };
    for (const name of ['a', 'b', 'c']) await failAt(name, START);
    expect(await failAt('d', START + 1)).toEqual([1, 4]);
    expect(await failAt('d', START + 1)).toBe(1_000);
    expect(await failAt('e', START + 60_001)).toEqual([1, 1]);
    expect(await failAt('e', START + 60_001)).toEqual([2, 2]);
  });

  it('[N4] keys go by themselves', async () => {
    const [own, gauge] = [counter('own'), counter('gauge', { kind: 'gauge', keepMs: 60_000 })];
    const result = await claimTry([own, gauge]);
    if (result.status === 'go') await settleTry(result.claim, 'failed');
    for (const [{ key }, mostMs] of [
      [own, 86_400_000],
      [gauge, 60_000],
    ] as const) {
      const ttl = await cacheRedis().pttl(key);
      expect(ttl).toBeGreaterThan(0);
      expect(ttl).toBeLessThanOrEqual(mostMs);
    }
  });

  it('[N4 G14] a process that must count alone counts as Redis does', async () => {
    const kinds = fc.constantFrom('ahead', 'late', 'gauge') as fc.Arbitrary<TryCounter['kind']>;
    const counters = fc.uniqueArray(
      fc.record({
        key: fc.constantFrom('a', 'b', 'c', 'd'),
        kind: kinds,
        free: fc.integer({ min: 0, max: 4 }),
        tight: fc.integer({ min: 0, max: 4 }),
        baseMs: fc.constantFrom(1_000, 60_000),
        maxMs: fc.constantFrom(4_000, 900_000),
        keepMs: fc.constant(3_600_000),
      }),
      { selector: ({ key }) => key, minLength: 1, maxLength: 4 },
    );
    const step = fc.record({
      // A window later, or well within it: Redis expires keys by its own clock.
      gapMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 }), fc.constant(3_600_001)),
      outcome: fc.constantFrom('failed', 'failed', 'failed', 'succeeded', 'void', null),
    });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(counters, fc.array(step, { maxLength: 25 }), async (given, steps) => {
        round += 1;
        const all = given.map((each) => ({
          ...each,
          key: keys.tries(`r${round}`, 'any', each.key),
          keepMs: each.kind === 'gauge' ? each.keepMs : 1e10,
        }));
        let now = START;
        const memory = createTriesInMemory(() => now);
        for (const { gapMs, outcome } of steps) {
          now += gapMs;
          const [ours, theirs] = [memory.claim(all), await claimInRedis(all, now)];
          const plain = (result: typeof ours) =>
            result.status === 'go' ? result.claim.charged : [result.waitMs, result.counter.key];
          expect(plain(ours)).toEqual(plain(theirs));
          if (ours.status !== 'go' || outcome === null) continue;
          expect(memory.settle(ours.claim, outcome)).toEqual(
            await settleInRedis((theirs as { claim: Claim }).claim, outcome, now),
          );
        }
      }),
      { numRuns: cases(40) },
    );
  });
});
