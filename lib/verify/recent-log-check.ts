import 'server-only';
import { type Actor, maySee } from '@/lib/actor/actor';
import { shareBriefly } from '@/lib/cache/share-briefly';
import type { LogCheck } from '@/lib/contract/shapes/decision-log';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { verifyLog } from './verify-log';

/** However many people look, a log is read from its beginning at most this often. */
const MAX_AGE_MS = 15_000;

const shared = shareBriefly(MAX_AGE_MS, async (saleId: string) => ({
  ...(await verifyLog(saleId)),
  checkedAt: Date.now(),
}));

/** Tells whether the decision log of a sale fits, as computed within the last 15 s; null if the sale is not theirs. */
export async function recentLogCheck(actor: Actor, saleId: string): Promise<LogCheck | null> {
  const sale = await findSaleInfo(saleId);
  return sale && (await maySee(actor, sale.merchantId)) ? shared(saleId) : null;
}
