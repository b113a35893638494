import 'server-only';
import type { Db } from '@/lib/db/client';
import { announcePaid } from '@/lib/order/records/announce';
import { payOrderRow } from '@/lib/order/records/pay-order-row';
import { readStand } from '@/lib/order/records/read-stand';
import { recordEvent } from '@/lib/order/records/record-event';
import { putMessage } from '@/lib/outbox/put-message';
import type { LockedPayment } from '@/lib/payment/records/lock-payment';
import { movePayment } from '@/lib/payment/records/move-payment';

/**
 * Books the exact amount of a payment, in the transaction that holds its lock. The order is paid; if it had ended,
 * the money is late and due back.
 * @returns `repeated` if the payment was settled before.
 */
export async function takeMoney(
  tx: Db,
  provider: string,
  payment: LockedPayment,
): Promise<'applied' | 'late' | 'repeated'> {
  const { id: paymentId, shard, order_id: id, amount_minor: amountMinor, currency } = payment;
  if (!(await movePayment(tx, paymentId, ['pending', 'failed'], 'succeeded'))) return 'repeated';
  const orderNo = String(id);
  const paidFor = await payOrderRow(tx, { shard, id }, { amountMinor, currency, provider });
  if (paidFor !== null) {
    await announcePaid(tx, { saleId: paidFor, orderNo });
    return 'applied';
  }
  if (!(await movePayment(tx, paymentId, ['succeeded'], 'refund_due'))) {
    throw new Error(`payment ${paymentId} changed under its lock`);
  }
  const { status, saleId } = await readStand(tx, orderNo);
  const actor = { kind: 'provider', id: provider } as const;
  const data = { amountMinor, currency };
  await recordEvent(tx, { orderNo, actor, from: status, to: status, cause: 'payment_late', data });
  await putMessage(tx, 'payments/late', { paymentId, orderNo, saleId });
  return 'late';
}
