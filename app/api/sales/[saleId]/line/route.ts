import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { servedPlace } from '@/lib/api/visit/find-place';
import { answerJoin } from '@/lib/checkout/line/answer-join';
import * as contract from '@/lib/contract/operations';
import { problem } from '@/lib/http/problem';
import { MAX_JSON_BYTES, readText } from '@/lib/http/read-json';
import { toResponse } from '@/lib/http/reply';
import { leaveLine } from '@/lib/line/leave-line';
import { findSaleInfo } from '@/lib/sale/find-sale-info';
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
    if (!(await findSaleInfo(saleId))) return refuse('SALE_NOT_FOUND');
    const result = await leaveLine(saleId, user.userId);
    if (result.status === 'not_in_line') return refuse('NOT_IN_LINE');
    if (result.status === 'in_turn') return refuse('TURN_NOT_OVER', { extra: { until: result.until } });
    return { leftAt: result.leftAt };
  }),
);
