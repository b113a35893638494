import { setTimeout as delay } from 'node:timers/promises';
import { inngest } from '@/inngest/client';
import { dueTimers, ringFor } from '@/inngest/functions/due-timers';
import { db } from '@/lib/db/client';
import { createLoadUsers } from '@/lib/load-test/create-load-users';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { verifySale } from '@/lib/verify/verify-sale';
import { median } from '@/tools/harness/stats';
import { until } from '@/tools/harness/until';
import { type BenchContext, CONNECTIONS, countExpected, type Figure, PLENTY } from '../bench-context';
import { msText, whole } from '../report/format';
import { factRow, singleRow } from '../report/rows';
import { fillBuyers, loadPurchaseScript } from '../stack/fill';
import { type BenchSale, openBenchSale } from '../stack/sales';
import { awaitOrders } from './await-orders';

const ORDERS = { full: 100_000, quick: 10_000 };
const RELEASED_TARGET_MS = 60_000;
const P99_TARGET_MS = 100;
const TIMEOUT_MS = 180_000;
/** Long enough to move the deadline of all orders. */
const DUE_IN_MS = { full: 15_000, quick: 3_000 };
/** Timers ring at full half seconds. */
const STEP_MS = 500;
const PATIENCE = { withinMs: TIMEOUT_MS, everyMs: 100 };
/** A round beside the release lasts a second, so that there are several before it is over. */
const PER_ROUND = 1_000;

/**
 * Measures unpaid orders of a sale that all reach their deadline at once: how long until every unit is for sale again,
 * and how late another sale's purchases are answered meanwhile. Everything the product runs is at work.
 */
export const measureExpiry: Figure = async (context) => {
  const { product, isQuick, rounds, say, atEnd } = context;
  const count = isQuick ? ORDERS.quick : ORDERS.full;
  await createLoadUsers(Math.max(count, (rounds + TIMEOUT_MS / 1_000 + 1) * PER_ROUND));
  const sale = await openBenchSale(count);
  const { saleId } = sale;
  const sellBeside = createBeside(context, await openBenchSale(PLENTY));
  atEnd((await product.startWriters()).stop);
  const redisUrl = product.env.REDIS_URL ?? '';
  await fillBuyers(redisUrl, await loadPurchaseScript(), sale, count);
  const { written } = await awaitOrders(saleId, count, TIMEOUT_MS);
  if (written !== count) throw new Error(`${written} of ${count} orders were written`);
  const before: number[] = [];
  for (let round = 0; round <= rounds; round += 1) before.push(await sellBeside());

  const dueAt = await makeDue(saleId, isQuick ? DUE_IN_MS.quick : DUE_IN_MS.full);
  say(`${whole(count)} orders are due`);
  await delay(dueAt - Date.now());
  let releasedAt = 0;
  const releasing = until('all units are on sale again', () => isReleased(saleId), PATIENCE).finally(() => {
    releasedAt = Date.now();
  });
  // If a round fails first, nobody waits for it any more.
  releasing.catch(() => {});
  const during: number[] = [];
  while (releasedAt === 0) during.push(await sellBeside());
  await releasing;
  const broken = (await verifySale(saleId))?.invariants.filter(({ ok }) => !ok);
  return {
    samples: { 'before p99': before, 'during p99': during, releasedMs: [releasedAt - dueAt] },
    rows: [
      singleRow({
        figure: `${whole(count)} unpaid orders due at once: all released`,
        measured: 'in Postgres and in Redis',
        value: releasedAt - dueAt,
        target: { atMost: RELEASED_TARGET_MS },
        text: msText,
      }),
      singleRow({
        figure: `purchase latency p99 of another sale meanwhile, at ${whole(PER_ROUND)}/s`,
        measured: `worst of ${during.length} rounds; before: median ${msText(median(before))}`,
        value: Math.max(...during),
        target: { atMost: P99_TARGET_MS },
        text: msText,
      }),
      factRow(
        {
          figure: 'what npm run verify says of the sale afterwards',
          measured:
            broken?.map(({ id, detail }) => `${id}: ${detail}`).join('; ') || 'all eight promises hold',
          result: `${broken?.length} broken`,
          target: 'none broken',
        },
        broken?.length === 0,
      ),
    ],
    notes: [
      'one run. The orders come through outbox, executor and Postgres; then their deadlines are moved to one moment, with the timer they would have had. The statement that cancels an order also tells its shopper, in the order’s history. Worker and executor write the other sale’s orders before and meanwhile.',
    ],
  };
};

/** Buys from another sale for a second at a steady rate. @returns the p99 of the answers, ms */
function createBeside({ product, generator }: BenchContext, sale: BenchSale) {
  let fromUser = 1 - PER_ROUND;
  return async (): Promise<number> => {
    // The latency must not be that of writing the orders of the round before.
    const outbox = keys.outbox(sale.saleId);
    await until('purchases are orders', async () => (await stockRedis().xlen(outbox)) === 0, PATIENCE);
    fromUser += PER_ROUND;
    const source = { kind: 'purchases', targets: [sale], fromUser, count: PER_ROUND } as const;
    const open = { loop: 'open', port: product.port, connections: CONNECTIONS, windowMs: 1_000 } as const;
    const result = await generator.run({ ...open, source });
    countExpected(result, 202);
    return result.latencyMs.p99;
  };
}

/**
 * Moves the deadline of all unpaid orders of a sale to one moment, `inMs` from now or up to half a second later, and
 * sets its timer as `create-orders` would have. They count as reminded, which happens long before a deadline.
 * @returns the deadline, epoch ms.
 */
async function makeDue(saleId: string, inMs: number): Promise<number> {
  const dueAt = Math.ceil((Date.now() + inMs) / STEP_MS) * STEP_MS;
  await db().$executeRaw`
    UPDATE orders SET pay_by = to_timestamp(${dueAt}::float8 / 1000), reminded_at = now()
    WHERE sale_id = ${saleId} AND status = 'pending_payment'`;
  await inngest().send(dueTimers([ringFor(saleId, dueAt)]));
  if (Date.now() >= dueAt) throw new Error('the deadline passed before all orders had it');
  return dueAt;
}

/** Tells whether none of a sale's units is held, in Postgres and in Redis. */
async function isReleased(saleId: string): Promise<boolean> {
  const { heldStock } = await db().sale.findUniqueOrThrow({
    where: { id: saleId },
    select: { heldStock: true },
  });
  return heldStock === 0 && Number(await stockRedis().hget(keys.sale(saleId), 'held')) === 0;
}
