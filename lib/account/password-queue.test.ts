import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { comeBackOf, createPasswordQueue, type PasswordGuest, type PasswordQueue } from './password-queue';

const MS_EACH = 50;
const HELD = 8_000 / MS_EACH;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const stranger = (address: string | null = null, since: number | null = null): PasswordGuest => ({
  address,
  isKnown: false,
  since,
});
const known = (address: string | null = null): PasswordGuest => ({ address, isKnown: true, since: null });

/** A queue before one thread that takes `MS_EACH` for each password. */
function open(msEach = () => MS_EACH) {
  const queue = createPasswordQueue(1, msEach);
  const served: string[] = [];
  const come = (name: string, guest: PasswordGuest) =>
    queue
      .run(guest, async () => {
        served.push(name);
        await new Promise((resolve) => setTimeout(resolve, msEach()));
      })
      .then(
        () => null,
        (error: unknown) => {
          const told = comeBackOf(error);
          if (!told) throw error;
          return told;
        },
      );
  return { queue, served, come };
}

/** Comes again as told until it is their turn. @returns how long it took and how far off the first promise was, ms */
async function insist(queue: PasswordQueue, guest: PasswordGuest) {
  const cameAt = Date.now();
  let promisedAt: number | null = null;
  let { since } = guest;
  for (;;) {
    try {
      await queue.run({ ...guest, since }, () => new Promise((resolve) => setTimeout(resolve, MS_EACH)));
      return { offMs: promisedAt === null ? null : Date.now() - promisedAt, tookMs: Date.now() - cameAt };
    } catch (error) {
      const told = comeBackOf(error);
      if (!told) throw error;
      ({ since } = told);
      promisedAt ??= Date.now() + told.expectedMs;
      await new Promise((resolve) => setTimeout(resolve, told.retryAfterMs));
    }
  }
}

describe('[N4] the queue for passwords', () => {
  it('takes people in the order in which they came', async () => {
    const { served, come } = open();
    const names = Array.from({ length: 20 }, (_, n) => `${n}`);
    const all = names.map((name, n) => come(name, stranger(`198.51.100.${n}`)));
    await vi.runAllTimersAsync();
    expect(await Promise.all(all)).toEqual(names.map(() => null));
    expect(served).toEqual(names);
  });

  it('gives an address that sends many no more turns than one that comes five times a second', async () => {
    const { served, come } = open();
    const flood = Array.from({ length: 50 }, (_, n) => come(`flood ${n}`, stranger('203.0.113.6')));
    await vi.advanceTimersByTimeAsync(1);
    const others = Array.from({ length: 10 }, (_, n) => come(`${n}`, stranger(`198.51.100.${n}`)));
    await vi.runAllTimersAsync();
    await Promise.all([...flood, ...others]);
    // The first of the flood was at work already.
    expect(served.slice(1, 11)).toEqual(Array.from({ length: 10 }, (_, n) => `${n}`));
  });

  it('lets no address have more than fifty in it', async () => {
    const { come, queue } = open();
    const all = Array.from({ length: 60 }, (_, n) => come(`${n}`, stranger('203.0.113.6')));
    expect(queue.counts()).toEqual({ inside: 1, waiting: 49 });
    await vi.runAllTimersAsync();
    const told = (await Promise.all(all)).filter((each) => each !== null);
    expect(told).toHaveLength(10);
    expect(told[0]?.expectedMs).toBeGreaterThanOrEqual(50 * MS_EACH);
  });

  it('takes known devices first, and after three of them a stranger', async () => {
    const { served, come } = open();
    void come('first', stranger());
    for (let n = 0; n < 4; n += 1) void come('s', stranger());
    for (let n = 0; n < 8; n += 1) void come('k', known());
    await vi.runAllTimersAsync();
    expect(served.join('')).toBe('firstkkkskkkskkss');
  });

  it('never holds more than it can serve within eight seconds, of each kind', async () => {
    const { queue, come } = open();
    const all = Array.from({ length: 1_000 }, () => come('s', stranger()));
    expect(queue.counts().waiting).toBeLessThanOrEqual(HELD);
    for (let n = 0; n < 1_000; n += 1) all.push(come('k', known()));
    expect(queue.counts().waiting).toBeLessThanOrEqual(2 * HELD);
    await vi.runAllTimersAsync();
    await Promise.all(all);
    expect(queue.counts()).toEqual({ inside: 0, waiting: 0 });
  });

  it('lets somebody who had to leave in before those who came later, and sends the last of them away', async () => {
    const { queue, come } = open();
    const early = Array.from({ length: HELD + 50 }, () => come('early', stranger()));
    await vi.advanceTimersByTimeAsync(0);
    const told = await early.at(-1);
    await vi.advanceTimersByTimeAsync(4_000);
    const late = Array.from({ length: HELD }, () => come('late', stranger()));
    const { served, come: back } = { served: [] as string[], come: queue.run };
    const returned = back(stranger(null, told?.since ?? 0), async () => {
      served.push('back');
    });
    expect(queue.refusal(stranger(null, told?.since ?? 0))).toBeNull();
    await vi.advanceTimersByTimeAsync(4_100);
    expect(served).toEqual(['back']);
    await vi.runAllTimersAsync();
    await returned;
    expect((await Promise.all(late)).filter(Boolean).length).toBeGreaterThan(HELD / 4);
  });

  it('lets a crowd in that is four times as large, in order, each about when they were told at first', async () => {
    const { queue } = open();
    const count = 4 * HELD;
    const people = Array.from({ length: count }, async (_, n) => {
      await new Promise((resolve) => setTimeout(resolve, n));
      return insist(queue, stranger(`10.0.${n >> 8}.${n & 255}`));
    });
    await vi.advanceTimersByTimeAsync(2 * count * MS_EACH);
    const all = await Promise.all(people);
    const off = all.flatMap(({ offMs }) => (offMs === null ? [] : [Math.abs(offMs)]));
    expect(off.length).toBeGreaterThan(2 * HELD);
    // People who come within the same tenth of a second are told the same; one more is at each end.
    expect(Math.max(...off)).toBeLessThan(103 * MS_EACH);
    // Nothing stood still: the crowd took hardly longer than its passwords.
    const last = Math.max(...all.map(({ tookMs }) => tookMs));
    expect(last).toBeLessThan(1.1 * count * MS_EACH);
  });

  it('tells whoever waits for longer than a page does, although passwords have become slow, to come back', async () => {
    let ms = MS_EACH;
    const { come } = open(() => ms);
    const all = Array.from({ length: 100 }, () => come('s', stranger()));
    ms = 1_000;
    await vi.advanceTimersByTimeAsync(20_000);
    const told = (await Promise.all(all)).filter((each) => each !== null);
    expect(told.length).toBeGreaterThan(80);
    for (const { retryAfterMs } of told) expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  });
});
