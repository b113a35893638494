import 'server-only';
import { findSaleInfo, forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { healStock } from './heal-stock';

/**
 * Resolves a disagreement about the epoch between Redis and this process: reads the sale again and loads it if Redis
 * lost it.
 * @returns the epoch to ask under, or null: can't sell now.
 */
export async function healEpoch({ saleId }: { saleId: string }): Promise<number | null> {
  await forgetSaleInfo(saleId);
  if (!(await healStock(saleId))) return null;
  return (await findSaleInfo(saleId))?.epoch ?? null;
}
