import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readSaleProof } from '@/lib/draw/read-sale-proof';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readLineProof, async ({ params, query, refuse }) => {
    const proof = await readSaleProof(params.saleId, query.from);
    return typeof proof === 'string' ? refuse(proof) : proof;
  }),
);
