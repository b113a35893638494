import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { liftAdminBlock } from '@/lib/block/admin/lift-admin-block';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.liftBlock,
    async ({ user, params, refuse }) => (await liftAdminBlock(user, params.id)) ?? refuse('BLOCK_NOT_FOUND'),
  ),
);
