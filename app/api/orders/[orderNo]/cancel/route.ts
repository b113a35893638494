import { authorize } from '@/lib/account/authorize';
import { cancelOrder } from '@/lib/checkout/cancel-order';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';
import { parseOrderNo } from '@/lib/ids/order-no';

export const POST = route<{ orderNo: string }>(async (request, { orderNo }) => {
  const auth = await authorize(request);
  if (!auth.ok) return auth.response;
  if (parseOrderNo(orderNo) === null) return problem('ORDER_NOT_FOUND');
  const result = await cancelOrder(auth.user.userId, orderNo);
  switch (result.status) {
    case 'cancelled':
      return json(result.order);
    case 'not_cancellable':
      return problem('ORDER_NOT_CANCELLABLE');
    case 'not_found':
      return problem('ORDER_NOT_FOUND');
  }
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
