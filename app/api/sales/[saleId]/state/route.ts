import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import * as contract from '@/lib/contract/operations';
import { toResponse } from '@/lib/http/reply';
import { readState } from '@/lib/sale/read-state';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  bind(contract.readSaleState, async (request, { saleId }) =>
    toResponse(await readState(saleId, new URL(request.url).searchParams.has('clock'))),
  ),
);
