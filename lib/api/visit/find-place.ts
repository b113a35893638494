import * as contract from '@/lib/contract/operations';
import { ADMISSIONS } from '@/lib/contract/words/sale';
import { findOwnPlace } from '@/lib/line/own-place';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { serve } from '../serve';

export const servedPlace = serve(contract.findPlace, async ({ user, params: { saleId }, refuse }) => {
  const sale = await findSaleInfo(saleId);
  if (!sale) return refuse('SALE_NOT_FOUND');
  const place = ADMISSIONS[sale.admission].hasLine ? await findOwnPlace(saleId, user.userId) : null;
  return place ?? refuse('NOT_IN_LINE');
});
