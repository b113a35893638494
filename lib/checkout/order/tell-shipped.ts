import 'server-only';
import type { Parcel } from '@/lib/contract/shapes/delivery';
import type { WebhookKind } from '@/lib/contract/words/webhook';
import type { Db } from '@/lib/db/client';
import { orderKey } from '@/lib/order/order-key';
import { putMessage } from '@/lib/outbox/put-message';

const KIND: WebhookKind = 'order.shipped';

/**
 * Has the shop's webhooks told that a parcel is on its way; writes nothing where none wants to know. The other events of
 * orders are written by triggers of Postgres. Call it in the transaction that ships the parcel.
 */
export async function tellShipped(tx: Db, orderNo: string, parcel: Parcel): Promise<void> {
  const { saleId, quantity, amountMinor, currency, sale } = await tx.order.findUniqueOrThrow({
    where: { shard_id: orderKey(orderNo) },
    include: { sale: { select: { merchantId: true, productId: true } } },
  });
  const shopId = sale.merchantId;
  const wanted = { shopId, disabledAt: null, kinds: { has: KIND } };
  if ((await tx.webhookEndpoint.count({ where: wanted })) === 0) return;
  const { carrier, trackingNumber, trackingUrl = null } = parcel;
  const order = { orderNo, saleId, productId: sale.productId, quantity, amountMinor, currency };
  const event = {
    id: `shipped_${orderNo}`,
    at: Date.now(),
    data: { ...order, carrier, trackingNumber, trackingUrl },
  };
  await putMessage(tx, 'shop-event', { shopId, saleId, kind: KIND, events: JSON.stringify([event]) });
}
