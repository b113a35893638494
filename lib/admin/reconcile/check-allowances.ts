import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { streamAllowances } from '@/lib/campaign/allowance-ledger';
import { loadingsOf } from '@/lib/checkout/slices/loadings';
import type { Difference } from '@/lib/contract/shapes/reconcile';
import { db } from '@/lib/db/client';
import { stockFor } from '@/lib/slice/stock-ids';
import { readAllowances } from '@/lib/stock/read-allowances';
import { scanAllowances } from '@/lib/stock/scan-allowances';
import type { SaleAccount } from '../verify/types';

/** Bounds the people kept; the next run finds the rest. */
const MAX_PEOPLE = 1_000;
/** A change is in one of the two only for milliseconds. */
const REREAD_MS = 500;

type Seen = { userId: string; inRedis: number; inPostgres: number; number: bigint | null };

/**
 * Finds whom Redis lets have another share of a campaign's limit in this sale than Postgres: after a loss, or because a
 * process died while it moved units between sales. Whoever enters meanwhile may be known to one of the two only, so a
 * difference counts if half a second later it is still the same one.
 * @throws connection errors
 */
export async function checkAllowances(sale: SaleAccount): Promise<Difference[]> {
  if (sale.campaignId === null || sale.campaignLimit === null) return [];
  const first = await findDiffering(sale);
  if (first.size === 0) return [];
  await delay(REREAD_MS);
  const second = await compare(sale, [...first.keys()]);
  return second
    .filter(({ userId, inRedis, number }) => {
      const before = first.get(userId);
      return before?.number === number && Object.is(before.inRedis, inRedis);
    })
    .map(({ userId, inRedis, inPostgres }) => ({
      kind: 'allowance',
      orderNo: null,
      userId,
      detail: `${userId} may have ${inRedis} units in Redis, ${inPostgres} in Postgres`,
      repair: 'allow',
    }));
}

async function findDiffering(sale: SaleAccount): Promise<Map<string, Seen>> {
  const found = new Map<string, Seen>();
  const look = async (userIds: readonly string[]) => {
    for (const seen of await compare(sale, userIds))
      if (found.size < MAX_PEOPLE) found.set(seen.userId, seen);
  };
  for await (const page of streamAllowances(db(), sale.saleId)) await look(page.map(({ userId }) => userId));
  // Those whom only Redis knows.
  for (const { saleId: stockId } of loadingsOf(sale))
    for await (const page of scanAllowances(stockId)) await look([...page.keys()]);
  return found;
}

/** Compares what these people may have. @returns those about whom the two disagree */
async function compare({ saleId, slices }: SaleAccount, userIds: readonly string[]): Promise<Seen[]> {
  const byStock = new Map<string, string[]>();
  for (const userId of userIds) {
    const stockId = stockFor(saleId, userId, slices);
    byStock.set(stockId, [...(byStock.get(stockId) ?? []), userId]);
  }
  const inRedis = new Map<string, number>();
  for (const [stockId, users] of byStock) {
    const units = await readAllowances(stockId, users);
    for (const [at, userId] of users.entries()) inRedis.set(userId, units[at] as number);
  }
  const rows = await db().campaignAllowance.findMany({
    where: { saleId, userId: { in: [...userIds] } },
    select: { userId: true, units: true, number: true },
  });
  const inPostgres = new Map(rows.map((row) => [row.userId, row]));
  return [...inRedis]
    .map(([userId, units]) => {
      const row = inPostgres.get(userId);
      return { userId, inRedis: units, inPostgres: row?.units ?? 0, number: row?.number ?? null };
    })
    .filter((seen) => seen.inRedis !== seen.inPostgres);
}
