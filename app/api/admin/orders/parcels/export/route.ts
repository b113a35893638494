import { demandAnywhere } from '@/lib/actor/actor';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { recordExport } from '@/lib/audit/admin/record-export';
import * as contract from '@/lib/contract/operations';
import { exportParcels } from '@/lib/delivery/admin/export-parcels';
import { csvResponse } from '@/lib/http/csv-response';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.exportParcels, async ({ user, query }) => {
    await demandAnywhere(user, 'export');
    await recordExport(user, 'parcels', query);
    return csvResponse('parcels.csv', exportParcels(user, query));
  }),
);
