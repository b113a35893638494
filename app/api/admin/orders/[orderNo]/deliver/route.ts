import { deliverOrder } from '@/lib/admin/deliveries/deliver-order';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.deliverOrder, async ({ user, params, refuse }) => {
    const result = await deliverOrder(user, params.orderNo);
    switch (result.status) {
      case 'done':
        return result.order;
      case 'no_delivery':
        return refuse('NO_DELIVERY');
      case 'not_paid':
      case 'address_missing':
        throw new Error(`${result.status} keeps nothing from being delivered`);
      case 'wrong_state':
        return refuse('DELIVERY_STATE', { extra: { is: result.is } });
      case 'not_found':
        return refuse('ORDER_NOT_FOUND');
    }
  }),
);
