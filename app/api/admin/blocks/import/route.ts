import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { importBlocks } from '@/lib/block/admin/import-blocks';
import { unreadBecause } from '@/lib/block/admin/unread-because';
import { MAX_BATCH } from '@/lib/block/block-subjects';
import * as contract from '@/lib/contract/operations';
import { fieldsProblem } from '@/lib/http/read-json';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.importBlocks, async ({ user, body }) => {
    const result = await importBlocks(user, body.csv);
    if (result.status !== 'imported')
      return fieldsProblem([{ path: 'csv', message: unreadBecause(result, MAX_BATCH) }]);
    return { imported: result.imported, failed: result.failed, errors: result.errors };
  }),
);
