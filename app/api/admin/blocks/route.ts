import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { addBlock } from '@/lib/block/admin/add-block';
import { listAdminBlocks } from '@/lib/block/admin/list-admin-blocks';
import * as contract from '@/lib/contract/operations';
import { fieldsProblem } from '@/lib/http/read-json';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listBlocks, ({ query }) => listAdminBlocks(query, query)),
  serve(contract.addBlock, async ({ user, body }) => {
    const result = await addBlock(user, body);
    if (result.status === 'blocked') return result.block;
    const path = result.problem === 'in_the_past' ? 'expiresAt' : 'value';
    return fieldsProblem([{ path, message: result.problem }]);
  }),
);
