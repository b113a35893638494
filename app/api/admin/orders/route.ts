import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { listAdminOrders } from '@/lib/order/admin/list-admin-orders';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listAdminOrders, ({ user, query }) => listAdminOrders(user, query, query)),
);
