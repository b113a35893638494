import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { parseOrderNo } from '@/lib/ids/order-no';
import { cancelOrder } from '@/lib/order/cancel-order';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.cancelOrder, async ({ user, params, refuse }) => {
    if (parseOrderNo(params.orderNo) === null) return refuse('ORDER_NOT_FOUND');
    const result = await cancelOrder(user.userId, params.orderNo);
    switch (result.status) {
      case 'cancelled':
        return result.order;
      case 'not_cancellable':
        return refuse('ORDER_NOT_CANCELLABLE');
      case 'not_found':
        return refuse('ORDER_NOT_FOUND');
    }
  }),
);
