import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { servedWaitlistPlace } from '@/lib/api/visit/find-waitlist-place';
import { answerJoin } from '@/lib/checkout/waitlist/answer-join';
import { findPlace } from '@/lib/checkout/waitlist/find-place';
import { leaveWaitlist } from '@/lib/checkout/waitlist/leave-waitlist';
import * as contract from '@/lib/contract/operations';
import { toResponse } from '@/lib/http/reply';
import { findSaleInfo } from '@/lib/sale/find-sale-info';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  servedWaitlistPlace,
  bind(contract.joinWaitlist, async ({ method, headers }, { saleId }) =>
    toResponse(await answerJoin({ saleId, method, headers, address: requestAddress(headers) })),
  ),
  serve(contract.leaveWaitlist, async ({ user, params: { saleId }, refuse }) => {
    const info = await findSaleInfo(saleId);
    if (!info) return refuse('SALE_NOT_FOUND');
    if (!info.waitlist) return refuse('NO_WAITLIST');
    await leaveWaitlist(saleId, user.userId);
    return (await findPlace(info, user.userId)) ?? refuse('STOCK_UNAVAILABLE');
  }),
);
