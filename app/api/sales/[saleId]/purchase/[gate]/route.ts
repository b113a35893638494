import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import * as contract from '@/lib/contract/operations';
import { problem } from '@/lib/http/problem';
import { readText } from '@/lib/http/read-json';
import { toResponse } from '@/lib/http/reply';
import { purchase } from '@/lib/purchase/purchase';
import { requestAddress } from '@/lib/server/client-header';

const MAX_BODY_BYTES = 1024;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  bind(contract.purchase, async (request, { saleId, gate }) => {
    const body = await readText(request, MAX_BODY_BYTES);
    if (body === null) return problem('TOO_LARGE');
    const { headers } = request;
    const entryToken = headers.get('x-entry-token');
    return toResponse(
      await purchase({ saleId, gate, entryToken, body, address: () => requestAddress(headers) }),
    );
  }),
);
