import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { servedWaitlistPlace } from '@/lib/api/visit/find-waitlist-place';
import * as contract from '@/lib/contract/operations';
import { problem } from '@/lib/http/problem';
import { MAX_JSON_BYTES, readText } from '@/lib/http/read-json';
import { toResponse } from '@/lib/http/reply';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { requestAddress } from '@/lib/server/client-header';
import { answerJoin } from '@/lib/waitlist/answer-join';
import { findPlace } from '@/lib/waitlist/find-place';
import { leaveWaitlist } from '@/lib/waitlist/leave-waitlist';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  servedWaitlistPlace,
  bind(contract.joinWaitlist, async (request, { saleId }) => {
    const body = await readText(request, MAX_JSON_BYTES);
    if (body === null) return problem('TOO_LARGE');
    const { headers } = request;
    const asked = { entryToken: headers.get('x-entry-token'), contentType: headers.get('content-type') };
    return toResponse(await answerJoin({ saleId, ...asked, body, address: requestAddress(headers) }));
  }),
  serve(contract.leaveWaitlist, async ({ user, params: { saleId }, refuse }) => {
    const info = await findSaleInfo(saleId);
    if (!info) return refuse('SALE_NOT_FOUND');
    if (!info.waitlist) return refuse('NO_WAITLIST');
    await leaveWaitlist(saleId, user.userId);
    return (await findPlace(info, user.userId)) ?? refuse('STOCK_UNAVAILABLE');
  }),
);
