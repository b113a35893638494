import { authorize } from '@/lib/account/authorize';
import { changeOrderPrice, orderPriceSchema } from '@/lib/desk/change-order-price';
import { readOrderDetail } from '@/lib/desk/orders/read-order-detail';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const GET = route<{ orderNo: string }>(async (request, { orderNo }) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const order = await readOrderDetail(auth.user, orderNo);
  return order ? json(order) : problem('ORDER_NOT_FOUND');
});

export const PATCH = route<{ orderNo: string }>(async (request, { orderNo }) => {
  const auth = await authorize(request, 'desk');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, orderPriceSchema);
  if (!body.ok) return body.response;
  const result = await changeOrderPrice(auth.user, orderNo, body.data);
  switch (result.status) {
    case 'changed':
      return json(result.order);
    case 'version_conflict':
      return problem('VERSION_CONFLICT', {
        extra: { version: result.version, priceMinor: result.priceMinor },
      });
    case 'not_payable':
      return problem('ORDER_NOT_PAYABLE', { detail: `The order is ${result.is}.` });
    case 'payment_opened':
      return problem('PAYMENT_OPENED');
    case 'too_high':
      return problem('VALIDATION', { detail: `priceMinor: the order would exceed ${result.maxAmountMinor}` });
    case 'not_found':
      return problem('ORDER_NOT_FOUND');
  }
});

export const { POST, PUT, DELETE, OPTIONS } = otherMethods('GET', 'PATCH');
