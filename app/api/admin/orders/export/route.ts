import { demandAnywhere } from '@/lib/actor/actor';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { recordExport } from '@/lib/audit/admin/record-export';
import * as contract from '@/lib/contract/operations';
import { csvResponse } from '@/lib/http/csv-response';
import { exportOrders } from '@/lib/order/admin/export-orders';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.exportOrders, async ({ user, query }) => {
    await demandAnywhere(user, 'export');
    await recordExport(user, 'orders', query);
    return csvResponse('orders.csv', exportOrders(user, query));
  }),
);
