import * as contract from '@/lib/contract/operations';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { findPlace } from '@/lib/waitlist/find-place';
import { serve } from '../serve';

export const servedWaitlistPlace = serve(
  contract.findWaitlistPlace,
  async ({ user, params: { saleId }, refuse }) => {
    const info = await findSaleInfo(saleId);
    // An entry token is good for its own sale.
    if (!info || (user.saleId ?? saleId) !== saleId) return refuse('SALE_NOT_FOUND');
    if (!info.waitlist) return refuse('NO_WAITLIST');
    return (await findPlace(info, user.userId)) ?? refuse('STOCK_UNAVAILABLE');
  },
);
