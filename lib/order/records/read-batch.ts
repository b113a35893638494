import 'server-only';
import { db } from '@/lib/db/client';
import type { StockOrder } from './types';

type BatchState = {
  /** Orders that wait for payment. */
  pending: string[];
  /** The latest deadline among them, epoch ms. */
  deadlineAt: number | null;
  /** Failed orders whose units have not been given back yet. */
  unsettled: StockOrder[];
};

/** Reads the present status of a batch's orders. Leaves out orders that were never written, or are further on. */
export async function readBatch(saleId: string, orderNos: readonly string[]): Promise<BatchState> {
  const rows = await db().$queryRaw<{ id: string; user_id: string; status: string; pay_by: Date }[]>`
    SELECT o.id::text, o.user_id, o.status, o.pay_by
    FROM orders_numbered(${[...orderNos]}::text[]::bigint[]) o
    WHERE o.sale_id = ${saleId}
      AND (o.status = 'pending_payment' OR (o.status = 'failed' AND o.stock_settled_at IS NULL))
    ORDER BY o.id`;
  const pending = rows.filter(({ status }) => status === 'pending_payment');
  return {
    pending: pending.map(({ id }) => id),
    deadlineAt: pending.length === 0 ? null : Math.max(...pending.map(({ pay_by }) => pay_by.getTime())),
    unsettled: rows
      .filter(({ status }) => status === 'failed')
      .map(({ id, user_id }) => ({ orderNo: id, saleId, userId: user_id })),
  };
}
