import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { dryRun } from '@/lib/risk/dry-run';
import { watchRisk } from '@/lib/risk/watch-risk';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.dryRunRule, async ({ body }) => {
    await watchRisk();
    return dryRun(body.definition);
  }),
);
