import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { cancelManagedOrder } from '@/lib/order/admin/cancel-managed-order';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.cancelManagedOrder, async ({ user, params, body, refuse }) => {
    const result = await cancelManagedOrder(user, params.orderNo, body.reason);
    switch (result.status) {
      case 'cancelled':
        return result.order;
      case 'not_cancellable':
        return refuse('ORDER_NOT_CANCELLABLE', {
          detail: `The order is ${result.is}.`,
          extra: { is: result.is },
        });
      case 'not_found':
        return refuse('ORDER_NOT_FOUND');
    }
  }),
);
