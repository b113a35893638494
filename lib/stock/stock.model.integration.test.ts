import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { scoreOf } from '@/lib/waitlist/records/score';
import { cases, demandsCoverage, SEED } from '@/test/support/random';
import { purchaseStock } from './purchase-stock';
import { purchaseUnderLock } from './purchase-under-lock';
import { readStock } from './read-stock';
import { applyStep } from './testing/apply-step';
import { GATE, openSale } from './testing/open-sale';
import { readAllBuyers } from './testing/read-all-buyers';
import { history } from './testing/steps';
import { StockModel } from './testing/stock-model';
import { WaitlistModel } from './testing/waitlist-model';

afterAll(closeRedis);

/** Every status that the histories should produce at least once; otherwise the test proves less than it claims. */
const EXPECTED = [
  'accepted',
  'replayed',
  'already_bought',
  'over_limit',
  'sold_out',
  'gate_invalid',
  'stale_epoch',
  'not_started',
  'ended',
  'paused',
  'confirmed',
  'already_confirmed',
  'released',
  'already_released',
  'unknown_order',
  'restocked',
  'already_restocked',
  'below_committed',
  'unlimited',
  'configured',
  'loaded',
  'already_loaded',
  'closed',
  'retaken',
  'already_held',
  'taken_back',
  'joined',
  'waiting',
  'available',
  'token_used',
  'no_waitlist',
  'enlisted',
  'left',
  'not_waiting',
  'served',
];

/** So often more histories look for a status that none has had. */
const MOST_ROUNDS = 5;

it.each([
  { name: 'the script', decide: purchaseStock, hasVariants: true },
  { name: 'the lock', decide: purchaseUnderLock, hasVariants: false },
])(
  '[C1 C3 C6 M2 O3] every verb in any order, purchases by $name, answers and leaves the stock as the model says, after each step',
  async ({ decide, hasVariants }) => {
    const seen = new Set<string>();
    const unseen = () => EXPECTED.filter((status) => !seen.has(status));
    const histories = fc.asyncProperty(history, async ({ limit, steps, hasWaitlist, ...given }) => {
      const variants = hasVariants ? given.stocks : [];
      const total = variants.length > 0 ? variants.reduce((sum, stock) => sum + stock) : given.total;
      const list = hasWaitlist && total !== -1 ? new WaitlistModel() : null;
      const waitlist = list ? { isOpen: true, lastPlace: 0, graceMs: 0 } : undefined;
      const saleId = await openSale({ total, limit, variants, waitlist });
      const model = new StockModel(1, GATE, limit, total, [...variants], list);
      for (const [index, step] of steps.entries()) {
        seen.add(await applyStep(saleId, model, step, index, decide));
        await expectSame(saleId, model);
      }
    });
    for (let round = 0; round === 0 || (unseen().length > 0 && round < MOST_ROUNDS); round += 1)
      await fc.assert(histories, { numRuns: cases(30), seed: SEED + round });
    if (demandsCoverage) expect(unseen()).toEqual([]);
  },
);

async function expectSame(saleId: string, model: StockModel): Promise<void> {
  const [stock, outbox, waiting] = await Promise.all([
    readStock(saleId),
    stockRedis().xrange(keys.outbox(saleId), '-', '+'),
    stockRedis().zrange(keys.waitlist(saleId), '0', '-1', 'WITHSCORES'),
  ]);
  const { epoch, gate, limit, paused, closed, total, available, held, sold, soldOutAt, variants } = model;
  expect(stock).toMatchObject({
    epoch,
    gate,
    limit,
    paused,
    closed,
    total,
    available,
    held,
    sold,
    soldOutAt,
  });
  expect(stock?.variants ?? []).toEqual(variants);
  // Checked apart from the model, because it is the promise itself.
  if (stock && stock.total !== -1) {
    expect(stock.available + stock.held + stock.sold).toBe(stock.total);
    expect(Math.min(stock.available, stock.held, stock.sold)).toBeGreaterThanOrEqual(0);
  }
  expect(await readAllBuyers(saleId)).toEqual(model.buyers);
  expect(outbox.map(([, fields]) => fields[1])).toEqual(model.outbox);
  const places = (model.waitlist?.waiting ?? []).map(
    ({ userId, variant, number }) => [scoreOf(variant, number), userId] as const,
  );
  expect(waiting).toEqual(
    places.toSorted(([one], [other]) => one - other).flatMap(([score, userId]) => [userId, String(score)]),
  );
}
