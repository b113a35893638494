import 'server-only';
import { log } from '@/lib/http/log';
import { countPaidAsSold } from '@/lib/order/records/count-paid-as-sold';
import type { StockOrder } from '@/lib/order/records/types';
import { groupBy } from '@/lib/outbox/group-by';
import { settleConfirmed } from './settle-confirmed';

type PaidMessage = { saleId: string; orderNo: string };

/**
 * Counts the units of paid orders as sold, in Postgres sale by sale and then in Redis. A repeated message changes
 * nothing; a message whose order is not paid is ignored. A sale that fails does not hold up the others.
 * @returns how many orders were newly counted.
 * @throws the first failure, after all others have had their turn.
 */
export async function confirmPaid(messages: readonly PaidMessage[]): Promise<number> {
  let counted = 0;
  const sold: StockOrder[] = [];
  const failures: unknown[] = [];
  for (const [saleId, group] of groupBy(messages, (message) => message.saleId)) {
    const orderNos = [...new Set(group.map(({ orderNo }) => orderNo))];
    try {
      // A statement per sale, so that two batches over several sales can't deadlock.
      const confirmed = await countPaidAsSold(saleId, orderNos);
      sold.push(...confirmed.orders);
      counted += confirmed.counted;
    } catch (err) {
      log.error({ saleId, orderNos, err }, 'paid units could not be confirmed');
      failures.push(err);
    }
  }
  if (sold.length > 0) {
    await settleConfirmed(sold);
    for (const [saleId, orders] of groupBy(sold, (order) => order.saleId))
      log.info({ saleId, orderNos: orders.map(({ orderNo }) => orderNo) }, 'paid units confirmed');
  }
  if (failures.length > 0) throw failures[0];
  return counted;
}
