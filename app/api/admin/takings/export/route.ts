import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { csvResponse } from '@/lib/http/csv-response';
import { exportTakings } from '@/lib/order/admin/export-takings';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.exportTakings, async ({ user, query }) =>
    csvResponse('takings.csv', exportTakings(user, query)),
  ),
);
