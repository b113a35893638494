import 'server-only';
import { type Actor, maySee } from '@/lib/actor/actor';
import type { WrittenOrderView } from '@/lib/contract/shapes/order';
import { db } from '@/lib/db/client';
import { readDelivery } from '@/lib/delivery/records/read-delivery';
import { orderKey } from '@/lib/ids/order-key';
import { parseOrderNo } from '@/lib/ids/order-no';
import { toOrderView, VIEW_INCLUDE } from '@/lib/order/records/read-rows';

export type ManagedOrder = {
  shopId: string;
  order: WrittenOrderView;
  userId: string;
  paymentId: string | null;
};

/**
 * Returns an order of a sale the actor may see; seeing it is not yet a right to change it. Null if no order has this
 * number or it is another merchant's.
 */
export async function findManagedOrder(actor: Actor, orderNo: string): Promise<ManagedOrder | null> {
  const parsed = parseOrderNo(orderNo);
  if (parsed === null) return null;
  const { sale, payment } = VIEW_INCLUDE;
  const row = await db().order.findUnique({
    where: { shard_id: orderKey(parsed) },
    include: {
      sale: { select: { ...sale.select, merchantId: true } },
      payment: { select: { ...payment.select, id: true } },
    },
  });
  if (!row || !(await maySee(actor, row.sale.merchantId))) return null;
  return {
    shopId: row.sale.merchantId,
    order: toOrderView({ ...row, delivery: await readDelivery(orderNo) }),
    userId: row.userId,
    paymentId: row.payment?.id ?? null,
  };
}
