import 'server-only';
import { lockPerson, readLedger, writeAllowance } from '@/lib/campaign/allowance-ledger';
import { transaction } from '@/lib/db/transaction';
import { stockFor } from '@/lib/slice/stock-ids';
import { putAllowance } from '@/lib/stock/put-allowance';
import { trimAllowance } from '@/lib/stock/trim-allowance';
import { type LoadedSale, stockOfBuyer } from '../slices/loadings';

const TIMEOUT_MS = 5_000;

/**
 * Makes Redis let a person have in a sale what Postgres says, whichever of the two knows more. What Redis has sold beyond
 * that counts against the campaign's limit from now on, as far as the limit has room.
 *
 * First Redis allows no more than is bought; then Postgres has the sum, then Redis gets it. So the person never may have
 * more than the limit, whenever this process dies, and the next reconciliation finds what is left to do.
 * @returns whether Redis was told; false: the campaign has no limit, or the sale was loaded anew, which tells it everything
 * @throws connection errors
 */
export async function restoreAllowance(
  sale: LoadedSale,
  campaignId: string,
  userId: string,
): Promise<boolean> {
  const { saleId, slices } = sale;
  const restored = await transaction(async (tx) => {
    await lockPerson(tx, campaignId, userId);
    const before = await readLedger(tx, campaignId, userId);
    if (!before) return null;
    const trimmed = await trimAllowance(stockOfBuyer(sale, userId), { userId, number: before.number });
    if (trimmed.status !== 'trimmed') return null;
    // Redis takes the units only with a later number than that of the trimming.
    const ledger = await readLedger(tx, campaignId, userId);
    if (!ledger) return null;
    const { limit, number, rows } = ledger;
    const allowed = rows.find((row) => row.saleId === saleId)?.units ?? 0;
    const free = Math.max(0, limit - rows.reduce((sum, { units }) => sum + units, 0));
    const units = Math.max(allowed, Math.min(trimmed.units, allowed + free));
    await writeAllowance(tx, { campaignId, saleId, userId }, { units, number });
    return { units, number };
  }, TIMEOUT_MS);
  if (!restored) return false;
  await putAllowance(stockFor(saleId, userId, slices), { userId, ...restored });
  return true;
}
