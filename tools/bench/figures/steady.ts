import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { createLoadUsers } from '@/lib/load-test/create-load-users';
import { applyPaymentEvent } from '@/lib/payment/apply-payment-event';
import { decideOutcome } from '@/lib/payment/providers/sandbox/decide-outcome';
import { cpuTicks } from '../../../scripts/infra/cpu-ticks.mjs';
import type { BenchContext } from '../bench-context';
import { msText, whole } from '../report/format';
import { measuredOnce } from '../report/ratio-row';
import { atMost, type FigureReport, type Row } from '../report/types';
import { type BenchSale, dropBenchSale, openBenchSale } from '../stack/sales';

type Trickle = { perSecond: number; sales: number };

const FULL: readonly Trickle[] = [
  { perSecond: 50, sales: 1 },
  { perSecond: 200, sales: 4 },
  { perSecond: 500, sales: 4 },
  { perSecond: 1_000, sales: 50 },
];
const QUICK: readonly Trickle[] = [{ perSecond: 200, sales: 4 }];
/** Unmeasured: worker and executor have only just been started. */
const WARM_UP: Trickle = { perSecond: 50, sales: 1 };
const SECONDS = { full: 60, quick: 10 };
const PAYMENT_WINDOW_SEC = 15;
/** The orders in ten that are paid; the others expire. */
const PAID_OF_TEN = 7;
const PAYMENTS_AT_A_TIME = 4;
const LOOK_EVERY_MS = 250;
const CONNECTIONS = 64;
const SETTLE_TIMEOUT_MS = 120_000;
/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10;
const WRITTEN_TARGET_MS = 300;
const SETTLED_TARGET_MS = 1_000;

/**
 * Measures purchases that come steadily instead of in a backlog: how long after its 202 an order is written, after its
 * payment it counts as sold, and after its deadline its unit is on sale again. Everything the product runs is at
 * work.
 */
export async function measureSteady(context: BenchContext): Promise<FigureReport> {
  const { product, isQuick } = context;
  const seconds = isQuick ? SECONDS.quick : SECONDS.full;
  const writers = await product.startWriters();
  const rows: Row[] = [];
  const samples: Record<string, number[]> = {};
  try {
    await runTrickle(context, WARM_UP, 1);
    for (const trickle of isQuick ? QUICK : FULL) {
      const what = `${whole(trickle.perSecond)}/s over ${trickle.sales} ${trickle.sales === 1 ? 'sale' : 'sales'}`;
      context.say(`steady, ${what}`);
      const found = await runTrickle(context, trickle, seconds).catch((error: unknown) => String(error));
      if (typeof found === 'string') {
        rows.push({
          figure: `steady, ${what}`,
          measured: found,
          result: '–',
          target: '–',
          verdict: 'missed',
        });
        continue;
      }
      const row = (name: string, { p50, p95, count }: Delay, target: number): Row => ({
        figure: `steady, ${what}: ${name}, p95`,
        measured: `${whole(count)} orders, p50 ${msText(p50)}`,
        result: msText(p95),
        target: `≤ ${whole(target)} ms`,
        verdict: count === 0 ? 'not measured' : atMost(p95, target),
        ...(count === 0 ? {} : measuredOnce(p95, 'less')),
      });
      const { delays, costs } = found;
      rows.push(
        row('202 → order written', delays.written, WRITTEN_TARGET_MS),
        row('paid → counted as sold', delays.sold, SETTLED_TARGET_MS),
        row('deadline → unit on sale again', delays.released, SETTLED_TARGET_MS),
        ...costs.map(
          ({ name, measured, value }): Row => ({
            figure: `steady, ${what}: ${name}`,
            measured,
            result: value.toFixed(1),
            target: 'printed',
            verdict: 'info',
            ...measuredOnce(value, 'less'),
          }),
        ),
      );
      for (const [name, { p95 }] of Object.entries(delays)) samples[`${what}: ${name} p95`] = [p95];
    }
  } finally {
    await writers.stop();
  }
  return {
    name: 'steady',
    rows,
    samples,
    notes: [
      `one run of ${seconds} s each; ${PAID_OF_TEN} of 10 orders are paid within a second of being written, through the code of the provider's callback but not over HTTP, the others expire after ${PAYMENT_WINDOW_SEC} s. By the clock of Postgres, from the beginning of the transaction that writes an order.`,
    ],
  };
}

type Delay = { count: number; p50: number; p95: number };
/** A cost of an order, whatever the number of orders. */
type Cost = { name: string; measured: string; value: number };

async function runTrickle(
  context: BenchContext,
  { perSecond, sales }: Trickle,
  seconds: number,
): Promise<{ delays: Record<'written' | 'sold' | 'released', Delay>; costs: Cost[] }> {
  const { product, generator } = context;
  const count = perSecond * seconds;
  const fromUser = context.takeUsers(count);
  await createLoadUsers(fromUser + count, fromUser);
  const targets: BenchSale[] = [];
  for (let n = 0; n < sales; n += 1)
    targets.push(await openBenchSale(count, { paymentWindowSec: PAYMENT_WINDOW_SEC }));
  const saleIds = targets.map(({ saleId }) => saleId);
  const payer = startPayer(saleIds);
  const before = { ...(await countWork()), ticks: cpuTicks(process.pid) };
  try {
    const load = await generator.run({
      loop: 'open',
      port: product.fastPath.port,
      connections: CONNECTIONS,
      source: { kind: 'purchases', targets, fromUser, count, isCyclic: false },
      startAtMs: Date.now() + 1_000,
      windowMs: seconds * 1_000,
      count,
    });
    if (load.answers[202] !== count)
      throw new Error(`expected ${count} times 202, got ${JSON.stringify(load.answers)}`);
    await settled(saleIds, count);
    const after = { ...(await countWork()), ticks: cpuTicks(process.pid) };
    const [events, runs] = [after.events - before.events, after.runs - before.runs];
    const costs: Cost[] = [];
    if (events > 0)
      costs.push({
        name: 'events per 1,000 orders',
        measured: `${whole(events)} events, ${whole(runs)} runs`,
        value: (events / count) * 1_000,
      });
    if (before.ticks !== undefined && after.ticks !== undefined) {
      const spentMs = (after.ticks - before.ticks) * MS_PER_TICK;
      costs.push({
        name: 'processor ms per order, everything',
        measured: `${(spentMs / 1_000).toFixed(1)} s, generator and payer too`,
        value: spentMs / count,
      });
    }
    return { delays: await readDelays(saleIds), costs };
  } finally {
    await payer.stop();
    await Promise.all(targets.map(dropBenchSale));
  }
}

/** Pays seven of ten orders as they appear. */
function startPayer(saleIds: readonly string[]) {
  const stopping = new AbortController();
  const limit = pLimit(PAYMENTS_AT_A_TIME);
  const asked = new Set<string>();
  const pay = async (orderNo: string) => {
    const payment = await db().payment.findFirstOrThrow({ where: { id: `pay_${orderNo}` } });
    const { id: paymentId, amountMinor, currency } = payment;
    await decideOutcome({ paymentId, amountMinor, currency, orderNo }, 'succeeded');
    const event = { webhookId: newId('msg'), type: 'payment.succeeded', paymentId, amountMinor, currency };
    await applyPaymentEvent('sandbox', { ...event, payload: {} });
  };
  const done = (async () => {
    while (!stopping.signal.aborted) {
      const orders = await db().$queryRaw<{ orderNo: string }[]>`
        SELECT id::text AS "orderNo" FROM orders
        WHERE sale_id = ANY (${[...saleIds]}::text[]) AND status = 'pending_payment' AND abs(hashint8(id)) % 10 < ${PAID_OF_TEN}
          AND pay_by > now() + interval '5 seconds'`;
      const fresh = orders.map(({ orderNo }) => orderNo).filter((orderNo) => !asked.has(orderNo));
      for (const orderNo of fresh) asked.add(orderNo);
      await Promise.all(fresh.map((orderNo) => limit(() => pay(orderNo))));
      await delay(LOOK_EVERY_MS);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

/** Counts what the embedded executor has taken and run so far; another Inngest tells us nothing. */
async function countWork(): Promise<{ events: number; runs: number }> {
  const [counted] = await db().$queryRaw<{ events: number; runs: number }[]>`
    SELECT (SELECT count(*)::int FROM executor.events) AS events, (SELECT count(*)::int FROM executor.runs) AS runs`;
  return counted ?? { events: 0, runs: 0 };
}

/** Waits until every order is written and has come to its end, in Redis too. @throws after two minutes. */
async function settled(saleIds: readonly string[], count: number): Promise<void> {
  const deadline = Date.now() + SETTLE_TIMEOUT_MS;
  for (;;) {
    const [row] = await db().$queryRaw<{ ended: number }[]>`
      SELECT count(*)::int AS ended FROM orders
      WHERE sale_id = ANY (${[...saleIds]}::text[]) AND stock_settled_at IS NOT NULL`;
    if (row?.ended === count) return;
    if (Date.now() > deadline) throw new Error(`${row?.ended} of ${count} orders have come to their end`);
    await delay(LOOK_EVERY_MS * 2);
  }
}

async function readDelays(
  saleIds: readonly string[],
): Promise<Record<'written' | 'sold' | 'released', Delay>> {
  const read = async (from: string, to: string, status: string | null): Promise<Delay> => {
    const [row] = await db().$queryRawUnsafe<Delay[]>(
      `WITH delays AS (SELECT extract(epoch FROM ${to} - ${from})::float8 * 1000 AS ms FROM orders
                       WHERE sale_id = ANY ($1::text[]) AND ($2::text IS NULL OR status = $2))
       SELECT count(*)::int AS count, coalesce(percentile_disc(0.5) WITHIN GROUP (ORDER BY ms), 0) AS p50,
              coalesce(percentile_disc(0.95) WITHIN GROUP (ORDER BY ms), 0) AS p95 FROM delays`,
      [...saleIds],
      status,
    );
    return row ?? { count: 0, p50: 0, p95: 0 };
  };
  return {
    written: await read('accepted_at', 'created_at', null),
    sold: await read('paid_at', 'stock_settled_at', 'paid'),
    released: await read('pay_by', 'stock_settled_at', 'cancelled'),
  };
}
