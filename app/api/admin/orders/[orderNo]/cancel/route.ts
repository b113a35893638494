import { authorize } from '@/lib/account/authorize';
import { cancelManagedOrder, cancelManagedOrderSchema } from '@/lib/desk/cancel-managed-order';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const POST = route<{ orderNo: string }>(async (request, { orderNo }) => {
  const auth = await authorize(request, 'desk');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, cancelManagedOrderSchema);
  if (!body.ok) return body.response;
  const result = await cancelManagedOrder(auth.user, orderNo, body.data.reason);
  switch (result.status) {
    case 'cancelled':
      return json(result.order);
    case 'not_cancellable':
      return problem('ORDER_NOT_CANCELLABLE', {
        detail: `The order is ${result.is}.`,
        extra: { is: result.is },
      });
    case 'not_found':
      return problem('ORDER_NOT_FOUND');
  }
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
