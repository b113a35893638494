import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { sumTakings } from '@/lib/order/admin/sum-takings';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readTakings, async ({ user, query }) => ({ takings: await sumTakings(user, query) })),
);
