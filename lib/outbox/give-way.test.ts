import { describe, expect, it } from 'vitest';
import { createGiveWay } from './give-way';
import { MAX_BATCH } from './order-batch';

/** @param spanMs between the first and the last acceptance */
const batch = (count: number, spanMs: number) =>
  Array.from({ length: count }, (_, at) => ({
    saleId: 'sale_1',
    stockId: 'sale_1',
    entryId: `${1_800_000_000_000 + Math.floor((spanMs * at) / Math.max(1, count - 1))}-${at}`,
    fields: {},
  }));
const read = (entries: ReturnType<typeof batch>) => new Map(entries.length > 0 ? [['sale_1', entries]] : []);
const FULL = read(batch(MAX_BATCH, 100));
const NOTHING = read([]);

/** Starts with a machine on which somebody always waits, and with purchases in every ms. */
function start() {
  const machine = { waitingShare: 0.9 as number | null, isSelling: true, isRedisUp: true };
  const clock = { now: 5_000, waitedUs: 0, newest: 0 };
  const giveWay = createGiveWay({
    waitedUs: () => (machine.waitingShare === null ? null : clock.waitedUs),
    async newestEntry() {
      if (!machine.isRedisUp) throw new Error('connection lost');
      return `${clock.newest}-0`;
    },
  });
  const pass = (ms: number) => {
    clock.now += ms;
    clock.waitedUs += ms * 1_000 * (machine.waitingShare ?? 0);
    if (machine.isSelling) clock.newest += ms;
  };
  const wait = () => giveWay.waitMs(clock.now);
  return {
    machine,
    pass,
    wait,
    note: (batches: typeof FULL) => giveWay.note(batches, clock.now),
    holdsMails: () => giveWay.holdsMails(clock.now),
    /** Waits as a relay does. @returns for how long, ms */
    async waitAll() {
      const from = clock.now;
      for (let ms = await wait(); ms > 0; ms = await wait()) pass(ms);
      return clock.now - from;
    },
  };
}

describe('giving way', () => {
  it('[E2] leaves orders lying for 2.5 s in a rush, and once until all is read', async () => {
    const { note, waitAll, wait, pass } = start();
    note(FULL);
    expect(await waitAll()).toBe(2_500);
    note(FULL);
    expect(await wait()).toBe(0);
    pass(10_000);
    note(FULL);
    expect(await wait()).toBe(0);
    note(NOTHING);
    note(FULL);
    expect(await waitAll()).toBe(2_500);
  });

  it.each([
    ['nobody waits for a processor', { waitingShare: 0.1 }],
    ['no more purchases come', { isSelling: false }],
    ['Redis does not answer', { isRedisUp: false }],
  ])('[E2] goes on as soon as %s', async (_, change) => {
    const { note, wait, pass, machine } = start();
    note(FULL);
    for (let at = 0; at < 4; at += 1) {
      expect(await wait()).toBe(50);
      pass(50);
    }
    Object.assign(machine, change);
    // The next call still goes by the last measurement.
    await wait();
    pass(50);
    expect(await wait()).toBe(0);
    Object.assign(machine, { waitingShare: 0.9, isSelling: true, isRedisUp: true });
    pass(50);
    expect(await wait()).toBe(0);
  });

  it.each([
    ['a batch that is not full', 0.9, read(batch(MAX_BATCH - 1, 100))],
    ['purchases slower than a rush', 0.9, read(batch(MAX_BATCH, 200))],
    ['nothing at all', 0.9, NOTHING],
    ['a system that does not tell who waits', null, FULL],
  ])('[E2] leaves nothing lying for %s', async (_, waitingShare, batches) => {
    const { note, waitAll, machine } = start();
    machine.waitingShare = waitingShare;
    note(batches);
    expect(await waitAll()).toBe(0);
  });

  it('[E2 E5] holds mails until all orders of a rush are read, for a minute at most', async () => {
    const { note, holdsMails, waitAll, pass } = start();
    expect(holdsMails()).toBe(false);
    note(FULL);
    expect(holdsMails()).toBe(true);
    await waitAll();
    note(FULL);
    expect(holdsMails()).toBe(true);
    note(NOTHING);
    expect(holdsMails()).toBe(false);
    note(FULL);
    pass(59_999);
    expect(holdsMails()).toBe(true);
    pass(1);
    expect(holdsMails()).toBe(false);
  });

  it('[E2] looks once for several relays that ask at the same time', async () => {
    const { note, wait, pass, machine } = start();
    note(FULL);
    expect(await Promise.all([wait(), wait()])).toEqual([50, 50]);
    machine.isSelling = false;
    pass(20);
    expect(await wait()).toBe(50);
    pass(30);
    expect(await wait()).toBe(0);
  });
});
