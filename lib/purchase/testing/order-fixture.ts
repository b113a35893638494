import { db } from '@/lib/db/client';
import { readHistory } from '@/lib/order/records/read-history';
import { createOrders } from '@/lib/settlement/create-orders';
import { buyForAll, createSaleFixture } from './sale-fixture';

/** For tests: creates a sale with one unpaid order. */
export async function createOrderFixture(options: Parameters<typeof createSaleFixture>[0] = {}) {
  const sale = await createSaleFixture({ users: 1, ...options });
  const [order] = await buyForAll(sale, 1);
  if (!order) throw new Error('one purchase expected');
  await createOrders({ saleId: sale.saleId, orders: [order] });
  return { ...sale, ...order, paymentId: `pay_${order.orderNo}` };
}

/** Lists what happened to an order, as `cause: from → to by actor`. */
export async function tellHistory(orderNo: string): Promise<string[]> {
  const history = await readHistory(orderNo);
  return (history?.events ?? []).map(
    ({ cause, from, to, actor }) => `${cause}: ${from ?? '-'} → ${to} by ${actor.kind}`,
  );
}

/** Lists the topics of the messages an order has caused so far, oldest first. */
export async function topicsOf(orderNo: string): Promise<string[]> {
  const rows = await db().$queryRaw<{ topic: string; kind: string | null }[]>`
    SELECT topic, payload->>'kind' AS kind FROM outgoing_messages WHERE payload->>'orderNo' = ${orderNo} ORDER BY id`;
  return rows.map(({ topic, kind }) => (kind === null ? topic : `${topic} ${kind}`));
}

/** Returns the status of an order and of its payment. */
export async function standOf(orderNo: string): Promise<string> {
  const payment = await db().payment.findFirstOrThrow({
    where: { id: `pay_${orderNo}` },
    include: { order: true },
  });
  return `${payment.order.status}, payment ${payment.status}`;
}
