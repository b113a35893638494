import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { findHistory } from '@/lib/order/find-history';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readOrderHistory, async ({ user, params, refuse }) => {
    const events = await findHistory(user, params.orderNo);
    return events ? { events } : refuse('ORDER_NOT_FOUND');
  }),
);
