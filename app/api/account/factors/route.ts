import { listFactors } from '@/lib/account/factors/list-factors';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listFactors, ({ user }) => listFactors(user)),
);
