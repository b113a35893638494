import 'server-only';
import type { Db } from '@/lib/db/client';
import { noticesOf } from '@/lib/order/records/announce';
import { readStand } from '@/lib/order/records/read-stand';
import { recordEvent } from '@/lib/order/records/record-event';
import { putMessages } from '@/lib/outbox/put-message';
import type { StoredPayment } from '@/lib/payment/records/find-payment';
import type { Money } from '@/lib/payment/records/types';

/** The money as it came, which may be another currency than was asked for. */
type Return = Money &
  (
    | { cause: 'money_returned' }
    /** `nth` tells apart the parts of one payment. */
    | { cause: 'part_returned'; nth: number }
  );

/** Writes into an order's history that money is on its way back, and tells its shopper. */
export async function tellReturn(
  tx: Db,
  { orderNo, saleId, provider }: StoredPayment,
  back: Return,
): Promise<void> {
  const { cause, amountMinor, currency } = back;
  const { status } = await readStand(tx, orderNo);
  await recordEvent(tx, {
    orderNo,
    actor: { kind: 'system' },
    from: status,
    to: status,
    cause,
    data: { amountMinor, currency, provider },
  });
  const order = { saleId, orderNo };
  const notices =
    back.cause === 'part_returned'
      ? noticesOf('part_refunded', order, { nth: String(back.nth), amountMinor })
      : noticesOf('order_refunded', order);
  await putMessages(tx, notices);
}
