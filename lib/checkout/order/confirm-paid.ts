import 'server-only';
import { log } from '@/lib/http/log';
import { sellPaid } from '@/lib/order/sell-paid';
import { groupBy } from '@/lib/outbox/group-by';
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
    // A statement per sale, so that two batches over several sales can't deadlock.
    const confirmed = await sellPaid(saleId, orderNos);
    await settleConfirmed(confirmed.orders);
    log.info({ saleId, orderNos }, 'paid units confirmed');
    counted += confirmed.counted;
  }
  return counted;
}
