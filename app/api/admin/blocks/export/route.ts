import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { recordExport } from '@/lib/audit/admin/record-export';
import { exportBlocks } from '@/lib/block/admin/export-blocks';
import * as contract from '@/lib/contract/operations';
import { csvResponse } from '@/lib/http/csv-response';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.exportBlocks, async ({ user, query }) => {
    await recordExport(user, 'blocks', query);
    return csvResponse('blocks.csv', exportBlocks(query));
  }),
);
