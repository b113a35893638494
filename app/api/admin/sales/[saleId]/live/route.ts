import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readLive } from '@/lib/live/read-live';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readLive, async ({ user, params, query, refuse }) => {
    const result = await readLive(user, params.saleId, query.since ?? null);
    if (result.status === 'found') return result.live;
    return refuse(result.status === 'not_found' ? 'SALE_NOT_FOUND' : 'UNAVAILABLE');
  }),
);
