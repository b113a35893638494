import { demandInShop } from '@/lib/admin/actor';
import { recordExport } from '@/lib/admin/audit/record-export';
import { exportOrders } from '@/lib/admin/orders/export-orders';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { csvResponse } from '@/lib/http/csv-response';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.exportOrders, async ({ user, query }) => {
    await demandInShop(user, 'export');
    await recordExport(user, 'orders', query);
    return csvResponse('orders.csv', exportOrders(user, query));
  }),
);
