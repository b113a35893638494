import 'server-only';
import type { LineProof } from '@/lib/contract/shapes/line-proof';
import { readSharedLeaves } from '@/lib/decision-log/read-shared-leaves';
import { readProof } from '@/lib/line/read-proof';
import { findSaleInfo } from '@/lib/sale/find-sale-info';

/**
 * Returns a page of what a sale publishes about the order of its line or draw, or why there is none. The first page has the
 * signed leaves of the log that bind all of it.
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
  if (admission === 'first_come') return 'NO_LINE';
  const proof = await readProof({ saleId, admission }, from);
  return proof ? { ...proof, signed: from === 0 ? await readSharedLeaves(saleId) : null } : 'NO_LINE';
}
