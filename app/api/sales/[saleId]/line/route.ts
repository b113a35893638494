import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { servedPlace } from '@/lib/api/visit/find-place';
import * as contract from '@/lib/contract/operations';
import { problem } from '@/lib/http/problem';
import { MAX_JSON_BYTES, readText } from '@/lib/http/read-json';
import { toResponse } from '@/lib/http/reply';
import { answerJoin } from '@/lib/line/answer-join';
import { leaveSaleLine } from '@/lib/line/leave-sale-line';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  servedPlace,
  bind(contract.joinLine, async (request, { saleId }) => {
    const body = await readText(request, MAX_JSON_BYTES);
    if (body === null) return problem('TOO_LARGE');
    const { method, headers } = request;
    return toResponse(await answerJoin({ saleId, method, headers, body, address: requestAddress(headers) }));
  }),
  serve(contract.leaveLine, async ({ user, params: { saleId }, refuse }) => {
    const sale = await findSaleInfo(saleId);
    if (!sale) return refuse('SALE_NOT_FOUND');
    const result = await leaveSaleLine(sale, user.userId);
    if (result.status === 'left') return { leftAt: result.leftAt };
    return refuse(result.status === 'not_in_line' ? 'NOT_IN_LINE' : 'STOCK_UNAVAILABLE');
  }),
);
