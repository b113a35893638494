import { db } from '@/lib/db/client';
import { readLedger } from '@/lib/sale/records/slice-ledger';
import { stocksOf } from '@/lib/slice/numbers/stock-ids';
import { readSlice } from '@/lib/stock/read-slice';
import { readStock } from '@/lib/stock/read-stock';
import type { Books, DeadLetterRow, OrderRow, PaymentEventRow, PaymentRow, ProviderRow } from './types';

/** Reads what both stores hold of a sale. @throws if there is no such sale, connection errors. */
export async function readBooks(saleId: string): Promise<Books> {
  const { totalStock, heldStock, soldStock, slices } = await db().sale.findUniqueOrThrow({
    where: { id: saleId },
  });
  const stock = await readStock(saleId);
  const orders = await db().$queryRaw<OrderRow[]>`
    SELECT id::text AS "orderNo", user_id AS "userId", quantity, jti, status, amount_minor AS "amountMinor", currency,
           extract(epoch FROM accepted_at)::float8 * 1000 AS "acceptedAt",
           extract(epoch FROM pay_by)::float8 * 1000 AS "payBy",
           extract(epoch FROM paid_at)::float8 * 1000 AS "paidAt",
           extract(epoch FROM cancelled_at)::float8 * 1000 AS "cancelledAt"
      FROM orders WHERE sale_id = ${saleId} ORDER BY id`;
  const payments = await db().$queryRaw<PaymentRow[]>`
    SELECT p.id AS "paymentId", p.order_id::text AS "orderNo", p.status, p.amount_minor AS "amountMinor", p.currency,
           p.taken_minor AS "takenMinor"
      FROM payments p JOIN orders o ON o.shard = p.shard AND o.id = p.order_id
     WHERE o.sale_id = ${saleId} ORDER BY p.id`;
  const provider = await db().$queryRaw<ProviderRow[]>`
    SELECT s.payment_id AS "paymentId", s.amount_minor AS "amountMinor", s.currency,
           s.refunded_at IS NOT NULL AS "isSentBack"
      FROM sandbox_payments s
      JOIN payments p ON p.id = s.payment_id
      JOIN orders o ON o.shard = p.shard AND o.id = p.order_id
     WHERE o.sale_id = ${saleId} AND s.outcome = 'succeeded'`;
  const events = await db().$queryRaw<PaymentEventRow[]>`
    SELECT e.payment_id AS "paymentId", e.webhook_id AS "webhookId", e.type, e.outcome
      FROM payment_events e
      JOIN payments p ON p.id = e.payment_id
      JOIN orders o ON o.shard = p.shard AND o.id = p.order_id
     WHERE o.sale_id = ${saleId}`;
  const deadLetters = await db().$queryRaw<DeadLetterRow[]>`
    SELECT order_no::text AS "orderNo", released_at IS NOT NULL AS released, error
      FROM dead_letters WHERE sale_id = ${saleId} AND order_no IS NOT NULL`;
  const redis = stock && {
    total: stock.total,
    available: stock.available,
    held: stock.held,
    sold: stock.sold,
  };
  return {
    sale: { total: totalStock, held: heldStock, sold: soldStock },
    redis,
    slices: await readSliceTotals(saleId, slices),
    orders,
    payments,
    provider,
    events,
    deadLetters,
  };
}

async function readSliceTotals(saleId: string, slices: number): Promise<Books['slices']> {
  if (slices === 1) return [];
  const { totals } = await readLedger(db(), saleId);
  const loaded = await Promise.all(stocksOf(saleId, slices).map((stockId) => readSlice(stockId)));
  return loaded.map((slice, at) => ({ dealt: totals[at] ?? 0, loaded: slice?.total ?? null }));
}
