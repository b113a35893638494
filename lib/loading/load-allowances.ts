import 'server-only';
import { lockAllowances, streamAllowances } from '@/lib/campaign/records/allowance-ledger';
import type { Db } from '@/lib/db/client';
import { stockFor } from '@/lib/slice/numbers/stock-ids';
import { dropAllowances, putAllowance } from '@/lib/stock/put-allowance';

type LoadedSale = { id: string; slices: number; campaignId: string | null };

/**
 * Loads what each person may have in a sale of a campaign back into Redis, before it sells again. Until the transaction
 * ends nobody's allowance changes: otherwise a claim could take back what this load then gives again.
 * @param stockIds of the slices that are loaded, or of the undivided sale
 * @returns whether the campaign has a limit. @throws connection errors; the next load starts again
 */
export async function loadAllowances(
  tx: Db,
  { id, slices, campaignId }: LoadedSale,
  stockIds: readonly string[],
): Promise<boolean> {
  if (!campaignId) return false;
  const campaign = await tx.campaign.findUnique({
    where: { id: campaignId },
    select: { limitPerUser: true },
  });
  if (!campaign || campaign.limitPerUser === null) return false;
  await lockAllowances(tx, campaignId);
  const loaded = new Set(stockIds);
  for (const stockId of stockIds) await dropAllowances(stockId);
  for await (const page of streamAllowances(tx, id)) {
    await Promise.all(
      page.map((allowance) => {
        const stockId = stockFor(id, allowance.userId, slices);
        return loaded.has(stockId) ? putAllowance(stockId, allowance) : undefined;
      }),
    );
  }
  return true;
}
