import { findOrder } from '@/lib/checkout/find-order';
import { identifyReader } from '@/lib/checkout/identify-reader';
import { json } from '@/lib/http/json';
import { problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';
import { parseOrderNo } from '@/lib/ids/order-no';

export const GET = route<{ orderNo: string }>(async (request, { orderNo }) => {
  const reader = await identifyReader(request.headers.get('x-entry-token'));
  if (!reader) return problem('UNAUTHENTICATED');
  const order = parseOrderNo(orderNo) === null ? null : await findOrder(reader, orderNo);
  return order ? json(order) : problem('ORDER_NOT_FOUND');
});
