import 'server-only';
import { currentUser } from '@/lib/account/current-user';
import { nowMs } from '@/lib/clock';
import type { HeaderReader } from '@/lib/http/request-head';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { findUnmetThreshold } from '@/lib/sale/records/find-unmet-threshold';
import type { Shopper } from './admit-shopper';

/** Reads an account again before it is refused for what it was a second ago. */
export async function upToDate(saleId: string, user: Shopper, headers: HeaderReader): Promise<Shopper> {
  const sale = await findSaleInfo(saleId);
  if (!sale || findUnmetThreshold(sale, user, nowMs()) === null) return user;
  return { ...user, ...(await currentUser(headers)) };
}
