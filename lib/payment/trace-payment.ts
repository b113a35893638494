import 'server-only';
import { db } from '@/lib/db/client';
import { orderKey } from '@/lib/ids/order-key';
import { isTracing, recordSpan } from '@/lib/trace/record-span';

/** Adds the payment of an order to the trace of its purchase, if tracing is on. @param beganAt of `spanClock` */
export async function tracePayment(orderNo: string, beganAt: number, type: string): Promise<void> {
  if (!isTracing()) return;
  const order = await db().order.findUnique({ where: { shard_id: orderKey(orderNo) } });
  if (order) recordSpan('pay', order.jti, beganAt, { saleId: order.saleId, orderNo, type });
}
