import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { unreadBecause } from '@/lib/block/admin/unread-because';
import * as contract from '@/lib/contract/operations';
import { MAX_CATALOGUE_LINES } from '@/lib/contract/words/catalogue';
import { fieldsProblem } from '@/lib/http/read-json';
import { importCatalogue } from '@/lib/sale/admin/import-catalogue';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.importProducts, async ({ user, body, refuse }) => {
    const result = await importCatalogue(user, body);
    if (result.status === 'no_shop') return refuse('SHOP_NOT_FOUND');
    if (result.status !== 'imported')
      return fieldsProblem([{ path: 'csv', message: unreadBecause(result, MAX_CATALOGUE_LINES) }]);
    const { status, ...imported } = result;
    return imported;
  }),
);
