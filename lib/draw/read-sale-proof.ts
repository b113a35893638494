import 'server-only';
import type { LineProof } from '@/lib/contract/shapes/line-proof';
import { ADMISSIONS } from '@/lib/contract/words/sale';
import { readProof } from '@/lib/line/records/read-proof';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';

/**
 * Returns a page of what a sale publishes about the order of its line or draw, or why there is none.
 * @param from the first number of the page
 * @throws connection errors
 */
export async function readSaleProof(
  saleId: string,
  from: number,
): Promise<LineProof | 'SALE_NOT_FOUND' | 'NO_LINE'> {
  const sale = await findSaleInfo(saleId);
  if (!sale) return 'SALE_NOT_FOUND';
  const { admission } = sale;
  if (!ADMISSIONS[admission].hasLine) return 'NO_LINE';
  return (await readProof({ saleId, admission }, from)) ?? 'NO_LINE';
}
