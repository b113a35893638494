import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { listOrders } from '@/lib/order/list-orders';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listOrders, ({ user, query }) => listOrders(user.userId, query)),
);
