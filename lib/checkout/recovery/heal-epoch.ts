import 'server-only';
import { findSaleInfo, forgetSaleInfo } from '@/lib/sale/find-sale-info';
import { healStock } from './heal-stock';

/**
 * Redis and this process disagree about the loading: looks again, loads if Redis lost it.
 * @returns the epoch to ask under, or null: can't sell now.
 */
export async function healEpoch({ saleId }: { saleId: string }): Promise<number | null> {
  await forgetSaleInfo(saleId);
  if (!(await healStock(saleId))) return null;
  return (await findSaleInfo(saleId))?.epoch ?? null;
}
