import { packOrder } from '@/lib/admin/deliveries/pack-order';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.packOrder, async ({ user, params, refuse }) => {
    const result = await packOrder(user, params.orderNo);
    switch (result.status) {
      case 'done':
        return result.order;
      case 'no_delivery':
        return refuse('NO_DELIVERY');
      case 'not_paid':
        return refuse('ORDER_NOT_PAID', { extra: { is: result.is } });
      case 'address_missing':
        return refuse('ADDRESS_MISSING');
      case 'wrong_state':
        return refuse('DELIVERY_STATE', { extra: { is: result.is } });
      case 'not_found':
        return refuse('ORDER_NOT_FOUND');
    }
  }),
);
