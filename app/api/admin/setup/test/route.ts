import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { trySetup } from '@/lib/preflight/try-setup';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.trySetup,
    async ({ user, body, refuse }) => (await trySetup(user, body.what)) ?? refuse('NOT_FOUND'),
  ),
);
