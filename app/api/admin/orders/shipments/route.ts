import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { unreadBecause } from '@/lib/block/admin/unread-because';
import * as contract from '@/lib/contract/operations';
import { MAX_SHIPMENTS } from '@/lib/contract/words/delivery';
import { importShipments } from '@/lib/delivery/admin/import-shipments';
import { fieldsProblem } from '@/lib/http/read-json';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.importShipments, async ({ user, body }) => {
    const result = await importShipments(user, body.csv);
    if (result.status !== 'imported')
      return fieldsProblem([{ path: 'csv', message: unreadBecause(result, MAX_SHIPMENTS) }]);
    const { shipped, failed, errors } = result;
    return { shipped, failed, errors };
  }),
);
