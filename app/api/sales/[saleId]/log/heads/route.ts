import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { listLogHeads } from '@/lib/decision-log/list-log-heads';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listLogHeads, async ({ params, query, refuse }) => {
    const found = await listLogHeads(params.saleId, query);
    switch (found.status) {
      case 'found':
        return { heads: found.heads, nextCursor: found.nextCursor };
      case 'bad_cursor':
        return null;
      case 'sale_not_found':
        return refuse('SALE_NOT_FOUND');
    }
  }),
);
