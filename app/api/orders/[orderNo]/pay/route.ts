import { authorize } from '@/lib/account/authorize';
import { payOrder } from '@/lib/checkout/pay-order';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';
import { parseOrderNo } from '@/lib/ids/order-no';

export const POST = route<{ orderNo: string }>(async (request, { orderNo }) => {
  const auth = await authorize(request);
  if (!auth.ok) return auth.response;
  if (parseOrderNo(orderNo) === null) return problem('ORDER_NOT_FOUND');
  const result = await payOrder(auth.user.userId, orderNo);
  switch (result.status) {
    case 'payable':
      return json({ paymentId: result.paymentId, redirectUrl: result.redirectUrl });
    case 'not_payable':
      return problem('ORDER_NOT_PAYABLE');
    case 'not_found':
      return problem('ORDER_NOT_FOUND');
  }
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
