import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { readSaleProof } from '@/lib/checkout/draw/read-sale-proof';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readLineProof, async ({ params, query, refuse }) => {
    const proof = await readSaleProof(params.saleId, query.from);
    return typeof proof === 'string' ? refuse(proof) : proof;
  }),
);
