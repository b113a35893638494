import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readConsistency } from '@/lib/decision-log/read-consistency';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readLogConsistency, async ({ params, query: { from, to }, refuse }) => {
    const proof = await readConsistency(params.saleId, from, to);
    return proof ? { from, to, proof } : refuse('LOG_SIZE_UNKNOWN');
  }),
);
