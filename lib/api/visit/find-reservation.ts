import * as contract from '@/lib/contract/operations';
import { findReservation } from '@/lib/reservation/find-reservation';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { serve } from '../serve';

export const servedReservation = serve(
  contract.findReservation,
  async ({ user, params: { saleId }, refuse }) => {
    const sale = await findSaleInfo(saleId);
    if (!sale) return refuse('SALE_NOT_FOUND');
    const reservedAt = sale.reservation ? await findReservation(sale, user.userId) : null;
    return reservedAt === null ? refuse('RESERVATION_NOT_FOUND') : { reservedAt };
  },
);
