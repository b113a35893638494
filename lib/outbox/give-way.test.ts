import { describe, expect, it } from 'vitest';
import { createGiveWay } from './give-way';
import { MAX_BATCH } from './order-batch';

/** @param spanMs between the first and the last acceptance */
const batch = (count: number, spanMs: number) =>
  Array.from({ length: count }, (_, at) => ({
    entryId: `${1_800_000_000_000 + Math.floor((spanMs * at) / Math.max(1, count - 1))}-${at}`,
    fields: {},
  }));
const FULL = batch(MAX_BATCH, 100);

/** @param share of the time in which somebody waits; null: the system does not tell */
function start(share: number | null) {
  const machine = { share, now: 5_000, waitedUs: 0 };
  const giveWay = createGiveWay(() => (machine.share === null ? null : machine.waitedUs));
  const pass = (ms: number) => {
    machine.now += ms;
    machine.waitedUs += ms * 1_000 * (machine.share ?? 0);
  };
  return {
    machine,
    pass,
    note: (entries: typeof FULL) => giveWay.note(entries, machine.now),
    wait: () => giveWay.waitMs(machine.now),
    /** Waits as a relay does. @returns for how long, ms */
    waitAll() {
      const from = machine.now;
      for (let ms = giveWay.waitMs(machine.now); ms > 0; ms = giveWay.waitMs(machine.now)) pass(ms);
      return machine.now - from;
    },
  };
}

describe('giving way', () => {
  it('[E2] leaves orders lying for 1.5 s in a rush on a machine with too few processors, and no longer', () => {
    const { note, waitAll, wait, pass } = start(0.9);
    note(FULL);
    expect(waitAll()).toBe(1_500);
    note(FULL);
    expect(wait()).toBe(0);
    pass(10_000);
    note(FULL);
    expect(wait()).toBe(0);
    note(batch(3, 0));
    note(FULL);
    expect(waitAll()).toBe(1_500);
  });

  it('[E2] goes on as soon as nobody waits for a processor', () => {
    const { note, wait, pass, machine } = start(0.9);
    note(FULL);
    for (let at = 0; at < 4; at += 1) {
      expect(wait()).toBe(50);
      pass(50);
    }
    machine.share = 0.1;
    expect(wait()).toBe(50);
    pass(50);
    expect(wait()).toBe(0);
  });

  it.each([
    ['a batch that is not full', 0.9, batch(MAX_BATCH - 1, 100)],
    ['purchases slower than a rush', 0.9, batch(MAX_BATCH, 200)],
    ['nothing at all', 0.9, []],
    ['a system that does not tell who waits', null, FULL],
  ])('[E2] leaves nothing lying for %s', (_, share, entries) => {
    const { note, waitAll } = start(share);
    note(entries);
    expect(waitAll()).toBe(0);
  });

  it('[E2] looks once for several relays that ask at the same time', () => {
    const { note, wait, pass } = start(0.9);
    note(FULL);
    expect([wait(), wait()]).toEqual([50, 50]);
    pass(20);
    expect(wait()).toBe(30);
  });
});
