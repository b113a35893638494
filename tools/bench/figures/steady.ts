import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { createLoadUsers } from '@/lib/load-test/create-load-users';
import { applyPaymentEvent } from '@/lib/payment/apply-payment-event';
import { decideOutcome } from '@/lib/payment/providers/sandbox/decide-outcome';
import { until } from '@/tools/harness/until';
import { cpuTicks } from '../../../scripts/infra/cpu-ticks.mjs';
import { type BenchContext, CONNECTIONS, countExpected, type Figure } from '../bench-context';
import { msText, whole } from '../report/format';
import { singleRow } from '../report/rows';
import type { Row } from '../report/types';
import { type BenchSale, dropBenchSales, openBenchSale } from '../stack/sales';

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
const SETTLING = { withinMs: 120_000, everyMs: 500 };
/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10;
const WRITTEN_TARGET_MS = 300;
const SETTLED_TARGET_MS = 1_000;

/**
 * Measures purchases that come steadily instead of in a backlog: how long after its 202 an order is written, after its
 * payment it counts as sold, and after its deadline its unit is on sale again. Everything the product runs is at
 * work.
 */
export const measureSteady: Figure = async (context) => {
  const { product, isQuick, say, atEnd } = context;
  const seconds = isQuick ? SECONDS.quick : SECONDS.full;
  atEnd((await product.startWriters()).stop);
  const rows: Row[] = [];
  await runTrickle(context, WARM_UP, 1);
  for (const trickle of isQuick ? QUICK : FULL) {
    const { perSecond, sales } = trickle;
    const what = `steady, ${whole(perSecond)}/s over ${sales} ${sales === 1 ? 'sale' : 'sales'}`;
    say(what);
    rows.push(
      ...(await runTrickle(context, trickle, seconds).catch((error: unknown) => [failed(error)])).map(
        (row) => ({ ...row, figure: `${what}: ${row.figure}` }),
      ),
    );
  }
  return {
    rows,
    samples: {},
    notes: [
      `one run of ${seconds} s each; ${PAID_OF_TEN} of 10 orders are paid within a second of being written, through the code of the provider's callback but not over HTTP, the others expire after ${PAYMENT_WINDOW_SEC} s. By the clock of Postgres, from the beginning of the transaction that writes an order.`,
    ],
  };
};

/** A trickle that came to no end is a miss; the others go on. */
const failed = (error: unknown): Row => ({
  figure: 'all of it',
  measured: String(error),
  result: '–',
  target: '–',
  verdict: 'missed',
});

async function runTrickle(
  context: BenchContext,
  { perSecond, sales }: Trickle,
  seconds: number,
): Promise<Row[]> {
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
      port: product.port,
      connections: CONNECTIONS,
      source: { kind: 'purchases', targets, fromUser, count },
      windowMs: seconds * 1_000,
    });
    countExpected(load, 202);
    await until(
      `${count} orders come to their end`,
      async () => (await countSettled(saleIds)) === count,
      SETTLING,
    );
    const after = { ...(await countWork()), ticks: cpuTicks(process.pid) };
    const [events, runs] = [after.events - before.events, after.runs - before.runs];
    const cost = (figure: string, measured: string, value: number) =>
      singleRow({ figure, measured, value, target: 'printed', text: (each) => each.toFixed(1) });
    const spentMs = ((after.ticks ?? Number.NaN) - (before.ticks ?? 0)) * MS_PER_TICK;
    return [
      ...(await delayRows(saleIds)),
      ...(events > 0
        ? [
            cost(
              'events per 1,000 orders',
              `${whole(events)} events, ${whole(runs)} runs`,
              (events / count) * 1_000,
            ),
          ]
        : []),
      cost(
        'processor ms per order, everything',
        `${(spentMs / 1_000).toFixed(1)} s, generator and payer too`,
        spentMs / count,
      ),
    ];
  } finally {
    await payer.stop();
    await dropBenchSales();
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

/** Counts the orders that are written and have come to their end, in Redis too. */
async function countSettled(saleIds: readonly string[]): Promise<number> {
  const [row] = await db().$queryRaw<{ ended: number }[]>`
    SELECT count(*)::int AS ended FROM orders
    WHERE sale_id = ANY (${[...saleIds]}::text[]) AND stock_settled_at IS NOT NULL`;
  return row?.ended ?? 0;
}

/** How long after one moment of an order another came. */
const DELAYS = [
  { name: '202 → order written', from: 'accepted_at', to: 'created_at', atMost: WRITTEN_TARGET_MS },
  {
    name: 'paid → counted as sold',
    from: 'paid_at',
    to: 'stock_settled_at',
    status: 'paid',
    atMost: SETTLED_TARGET_MS,
  },
  {
    name: 'deadline → unit on sale again',
    from: 'pay_by',
    to: 'stock_settled_at',
    status: 'cancelled',
    atMost: SETTLED_TARGET_MS,
  },
];

async function delayRows(saleIds: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, from, to, status = null, atMost } of DELAYS) {
    const [delays] = await db().$queryRawUnsafe<{ count: number; p50: number; p95: number }[]>(
      `WITH delays AS (SELECT extract(epoch FROM ${to} - ${from})::float8 * 1000 AS ms FROM orders
                       WHERE sale_id = ANY ($1::text[]) AND ($2::text IS NULL OR status = $2))
       SELECT count(*)::int AS count, percentile_disc(0.5) WITHIN GROUP (ORDER BY ms) AS p50,
              percentile_disc(0.95) WITHIN GROUP (ORDER BY ms) AS p95 FROM delays`,
      [...saleIds],
      status,
    );
    const { count = 0, p50, p95 } = delays ?? {};
    rows.push(
      singleRow({
        figure: `${name}, p95`,
        measured: `${whole(count)} orders, p50 ${msText(p50 ?? Number.NaN)}`,
        value: p95 ?? Number.NaN,
        target: { atMost },
        text: msText,
      }),
    );
  }
  return rows;
}
