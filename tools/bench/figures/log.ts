import { createLoadUsers, loadUserId } from '@/lib/admin/load/create-load-users';
import { createOrders } from '@/lib/checkout/order/create-orders';
import { db, pool } from '@/lib/db/client';
import { appendBatches } from '@/lib/decision-log/append-batches';
import { LogTiles } from '@/lib/decision-log/tiles';
import { newId } from '@/lib/ids/new-id';
import { issueOrderNo } from '@/lib/order/issue-order-no';
import { alternate } from '../alternate';
import type { BenchContext } from '../bench-context';
import { whole } from '../report/format';
import { measuredOnce, ratioRow } from '../report/ratio-row';
import { atMost, type FigureReport, type Row } from '../report/types';
import { type BenchSale, dropBenchSale, openBenchSale } from '../stack/sales';
import { median } from '../stats';

/** Every order has a leaf; making it is part of the statement that writes the order. */
const TARGET_ORDERS = 0.85;
/** As many orders as an event brings. */
const TOGETHER = 500;
const EVENTS = 8;
const PROOFS = 200;
const TARGET_PROOF_MS = 20;

/**
 * Measures what the decision log costs: orders written per second with its trigger against without; and appending a
 * million leaves, their room, and the time of an inclusion proof.
 */
export async function measureLog(context: BenchContext): Promise<FigureReport> {
  const sale = await openBenchSale(10_000_000);
  const write = (name: string, isLogged: boolean) => ({
    name,
    run: async () => {
      await pool().query(`ALTER TABLE orders ${isLogged ? 'ENABLE' : 'DISABLE'} TRIGGER orders_log_accepted`);
      return writeOrders(context, sale);
    },
  });
  try {
    const samples = await alternate(context.rounds, [write('with', true), write('without', false)]);
    const row = ratioRow({
      figure: 'orders written/s, with leaves in the decision log : without',
      ours: samples.with ?? [],
      theirs: samples.without ?? [],
      target: { atLeast: TARGET_ORDERS },
    });
    return {
      name: 'log',
      samples,
      rows: [row, ...(await measureLeaves(context.isQuick ? 100_000 : 1_000_000))],
      notes: [
        `orders come ${TOGETHER} to a statement, one statement after the other, without relay and executor. Only the writing of batches is measured with them; a worker appends these to the log later.`,
      ],
    };
  } finally {
    await pool().query('ALTER TABLE orders ENABLE TRIGGER orders_log_accepted');
    await db().$executeRaw`DELETE FROM decision_batches`;
    await dropBenchSale(sale);
  }
}

/** Writes the orders of new people. @returns how many per second */
async function writeOrders(context: BenchContext, { saleId, epoch }: BenchSale): Promise<number> {
  const count = TOGETHER * EVENTS;
  const first = context.takeUsers(count);
  await createLoadUsers(first + count - 1, first);
  const events = await Promise.all(
    Array.from({ length: EVENTS }, (_, event) =>
      Promise.all(
        Array.from({ length: TOGETHER }, async (_, at) => {
          const userId = loadUserId(first + event * TOGETHER + at);
          const orderNo = await issueOrderNo(userId);
          return { orderNo, userId, quantity: 1, jti: newId('jti'), epoch, acceptedAt: Date.now() };
        }),
      ),
    ),
  );
  const from = performance.now();
  for (const orders of events) await createOrders({ saleId, orders });
  return (count / (performance.now() - from)) * 1_000;
}

/** Appends so many leaves to one log and proves some of them. */
async function measureLeaves(count: number): Promise<Row[]> {
  const saleId = newId('sale');
  await db().$executeRaw`
    INSERT INTO decision_batches (sale_id, decisions)
    SELECT ${saleId}, json_agg(json_build_object('kind', 'accepted', 'at', 1700000000000 + n, 'user', 'user_' || n, 'order', n::text,
                                                 'detail', json_build_object('units', 1)) ORDER BY n)
    FROM generate_series(1, ${count}::int) AS n GROUP BY (n - 1) / ${TOGETHER}::int`;
  const before = await roomOfLog();
  const from = performance.now();
  while ((await appendBatches(saleId)) > 0);
  const perSecond = (count / (performance.now() - from)) * 1_000;
  const bytes = ((await roomOfLog()) - before) / count;
  const times: number[] = [];
  for (let n = 0; n < PROOFS; n += 1) {
    const began = performance.now();
    await new LogTiles(db(), saleId).inclusion(Math.floor((n / PROOFS) * count), count);
    times.push(performance.now() - began);
  }
  const proofMs = median(times);
  return [
    {
      figure: `decision log: leaves appended/s, ${whole(count)} of one sale`,
      measured: `${whole(perSecond)}/s`,
      result: whole(perSecond),
      target: 'printed',
      verdict: 'info',
      ...measuredOnce(perSecond, 'more'),
    },
    {
      figure: 'decision log: room in Postgres for each leaf, hashes and indexes too',
      measured: `${whole(bytes)} bytes`,
      result: `${whole(bytes)} bytes`,
      target: 'printed',
      verdict: 'info',
      ...measuredOnce(bytes, 'less'),
    },
    {
      figure: `decision log: an inclusion proof among ${whole(count)}, ms`,
      measured: `median of ${PROOFS}`,
      result: `${proofMs.toFixed(1)} ms`,
      target: `≤ ${TARGET_PROOF_MS} ms`,
      verdict: atMost(proofMs, TARGET_PROOF_MS),
      ...measuredOnce(proofMs, 'less'),
    },
  ];
}

async function roomOfLog(): Promise<number> {
  const [row] = await db().$queryRaw<{ bytes: bigint }[]>`
    SELECT pg_total_relation_size('decision_leaves') + pg_total_relation_size('decision_tiles') AS bytes`;
  return Number(row?.bytes ?? 0);
}
