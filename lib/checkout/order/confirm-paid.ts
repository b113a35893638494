import 'server-only';
import { transaction } from '@/lib/db/transaction';
import { log } from '@/lib/http/log';
import { CONFIRM_PAID } from '@/lib/order/consumers';
import { findPaid } from '@/lib/order/find-paid';
import type { StockOrder } from '@/lib/order/types';
import { groupBy } from '@/lib/outbox/group-by';
import { markProcessed } from '@/lib/outbox/mark-processed';
import { sellUnits } from '@/lib/sale/committed-stock';
import { settleConfirmed } from './settle-confirmed';

type PaidMessage = { saleId: string; orderNo: string };

/**
 * Counts the units of paid orders as sold, in Postgres and then in Redis. A repeated message changes nothing; a
 * message whose order is not paid is ignored.
 * @returns how many orders were newly counted.
 */
export async function confirmPaid(messages: readonly PaidMessage[]): Promise<number> {
  let counted = 0;
  for (const [saleId, group] of groupBy(messages, (message) => message.saleId)) {
    const orderNos = [...new Set(group.map(({ orderNo }) => orderNo))];
    const confirmed = await countSold(saleId, orderNos);
    await settleConfirmed(confirmed.orders);
    log.info({ saleId, orderNos }, 'paid units confirmed');
    counted += confirmed.counted;
  }
  return counted;
}

/** One transaction per sale, so that two batches over several sales can't deadlock. */
function countSold(
  saleId: string,
  orderNos: readonly string[],
): Promise<{ orders: StockOrder[]; counted: number }> {
  return transaction(async (tx) => {
    const paid = await findPaid(tx, saleId, orderNos);
    const fresh = await markProcessed(
      tx,
      CONFIRM_PAID,
      paid.map(({ orderNo }) => orderNo),
    );
    const units = paid.reduce((sum, { orderNo, quantity }) => sum + (fresh.has(orderNo) ? quantity : 0), 0);
    if (units > 0) await sellUnits(tx, saleId, units);
    return { orders: paid.map(({ quantity: _, ...order }) => order), counted: fresh.size };
  });
}
