import { beforeAll, describe, expect, it } from 'vitest';
import { BUGS } from './bugs';
import { type Bundle, loadBundle } from './bundle/load-bundle';
import { runSchedule } from './run-schedule';
import { runSimulation } from './run-simulation';

/**
 * A bug counts as found within this many schedules: several times as many as it usually takes. Each schedule takes
 * about 16 ms of CPU.
 */
const WITHIN: Record<string, number> = {
  'token-forgotten': 5,
  'confirm-counts-again': 20,
  'processed-outside': 60,
  'release-unchecked': 150,
  'cancel-unconditional': 100,
  'opening-unnoted': 200,
  'wrong-money-forgotten': 100,
};
/** Longer than the project's: each runs for half a minute. */
const TIMEOUT_MS = 600_000;
/**
 * Redis loses everything in one of these situations: while the only holder of a purchase has it in a rebuild that
 * fails; while late money is being kept; while an order that a rebuild is working on is given up; or when a purchase
 * whose buyer's account is gone is rebuilt. Or a paid order finds its units sold to another, reports it, and gets them
 * back later, or is refunded; or it is only an older copy of Redis that does not know the order. Or Postgres gives
 * the room to an order whose units Redis had sold before it was brought back. Without any loss: a process that stood
 * still takes the unit for late money after all was over, or a late command does so after the refund.
 */
const ONCE_BROKEN = [
  1005045, 4001874, 4004232, 4022737, 9000899, 8000688, 77002489, 99007991, 99008839, 99009756, 45010053,
  45015567, 47001223, 47004026,
];

describe('simulated schedules', () => {
  let bundle: Bundle;
  beforeAll(async () => {
    bundle = await loadBundle();
  }, TIMEOUT_MS);

  it(
    '[E3 E7 I9 J4] keep every promise, whatever goes wrong on the way',
    async () => {
      const report = await runSimulation({ schedules: 60, seed: 1, bug: undefined });
      expect(
        report.broken.flatMap(({ seed, violations }) => violations.map((text) => `seed ${seed}: ${text}`)),
      ).toEqual([]);
      // If a kind never happened, the schedules would prove less than they claim.
      const kinds = [
        'slow',
        'refused',
        'lost',
        'late',
        'crash',
        'freeze',
        'duplicate',
        'redis empty',
        'redis older',
        'wrong money',
        'callback wrong',
        'books behind',
        'price changed',
        'price payment_opened',
      ];
      expect(kinds.filter((kind) => !report.injected[kind])).toEqual([]);
      const ends = ['paid', 'cancelled', 'refunded'];
      expect(ends.filter((end) => !report.orders[end])).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    '[J4] do the same again, line by line, with the same seed, and something else with another',
    async () => {
      for (const seed of [3, 14, 25]) {
        const first = await runSchedule(bundle, seed, { isTold: true });
        expect(first.trail.length).toBeGreaterThan(100);
        expect(await runSchedule(bundle, seed, { isTold: true })).toEqual(first);
        expect((await runSchedule(bundle, seed + 1, { isTold: true })).trail).not.toEqual(first.trail);
      }
    },
    TIMEOUT_MS,
  );

  it.each(ONCE_BROKEN)('[E2 J4] keep every promise with seed %i, where one was broken once', async (seed) => {
    expect((await runSchedule(bundle, seed)).violations).toEqual([]);
  });

  it.each(Object.entries(WITHIN))(
    '[J4] find the planted bug %s within %i of them',
    async (name, within) => {
      const bug = BUGS[name];
      const spoilt = await loadBundle(bug);
      for (let seed = 1; seed <= within; seed += 1) {
        if ((await runSchedule(spoilt, seed, { bug })).violations.length > 0) return;
      }
      expect.unreachable(`${name} was not found`);
    },
    TIMEOUT_MS,
  );

  it('[J4] a bug that no longer fits the code is not planted silently', async () => {
    const source = { file: 'lib/outbox/deliver-batch.ts', from: 'no such line', to: '' };
    await expect(loadBundle({ what: 'nothing', source })).rejects.toThrow('no longer says');
  });
});
