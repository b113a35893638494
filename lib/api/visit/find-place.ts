import * as contract from '@/lib/contract/operations';
import { findOwnPlace } from '@/lib/line/own-place';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { serve } from '../serve';

export const servedPlace = serve(contract.findPlace, async ({ user, params: { saleId }, refuse }) => {
  const sale = await findSaleInfo(saleId);
  if (!sale) return refuse('SALE_NOT_FOUND');
  const place = sale.admission === 'first_come' ? null : await findOwnPlace(saleId, user.userId);
  return place ?? refuse('NOT_IN_LINE');
});
