import { liftDeskBlock } from '@/lib/admin/blocks/lift-desk-block';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.liftBlock,
    async ({ user, params, refuse }) => (await liftDeskBlock(user, params.id)) ?? refuse('BLOCK_NOT_FOUND'),
  ),
);
