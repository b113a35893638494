import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { releaseRiskHit } from '@/lib/risk/admin/release-risk-hit';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.releaseHit,
    async ({ user, params, refuse }) => (await releaseRiskHit(user, params.hitId)) ?? refuse('HIT_NOT_FOUND'),
  ),
);
