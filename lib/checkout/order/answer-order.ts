import 'server-only';
import { problemReply } from '@/lib/http/problem';
import type { Reply } from '@/lib/http/reply';
import { parseOrderNo } from '@/lib/ids/order-no';
import { findOrder, type OrderReader } from './find-order';

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/**
 * Answers with a reader's order as a reply record. 404 also if `orderNo` is no order number, or the order is someone
 * else's.
 */
export async function answerOrder(reader: OrderReader, orderNo: string): Promise<Reply> {
  const order = parseOrderNo(orderNo) === null ? null : await findOrder(reader, orderNo);
  return order
    ? { status: 200, headers: HEADERS, body: JSON.stringify(order) }
    : problemReply('ORDER_NOT_FOUND');
}
