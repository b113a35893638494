import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { takeStep } from '@/lib/delivery/admin/take-step';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.moveDelivery, async ({ user, params, body, refuse }) => {
    const result = await takeStep(user, params.orderNo, body);
    switch (result.status) {
      case 'done':
        return result.order;
      case 'no_parcel':
        return refuse('NO_PARCEL');
      case 'address_missing':
        return refuse('ADDRESS_MISSING');
      case 'not_paid':
        return refuse('ORDER_NOT_PAID', { detail: `The order is ${result.is}.` });
      case 'wrong_step':
        return refuse('DELIVERY_STEP', { detail: `The parcel is ${result.is}.` });
      case 'not_found':
        return refuse('ORDER_NOT_FOUND');
    }
  }),
);
