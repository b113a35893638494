import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { importBlocks } from '@/lib/block/admin/import-blocks';
import * as contract from '@/lib/contract/operations';
import { fieldsProblem } from '@/lib/http/read-json';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.importBlocks, async ({ user, body }) => {
    const result = await importBlocks(user, body.csv);
    const refuse = (message: string) => fieldsProblem([{ path: 'csv', message }]);
    switch (result.status) {
      case 'imported':
        return { imported: result.imported, failed: result.failed, errors: result.errors };
      case 'malformed':
        return refuse(`is not CSV: a quotation mark in line ${result.line} is missing or misplaced`);
      case 'no_columns':
        return refuse(`the first line must name the columns ${result.missing.join(', ')}`);
      case 'too_many':
        return refuse('has more than 10,000 lines');
    }
  }),
);
