import 'server-only';
import { db } from '@/lib/db/client';
import { readLedger } from '@/lib/sale/records/slice-ledger';
import { type LoadedSale, loadingsOf } from '@/lib/slice/loadings';
import type { Findings } from './findings';
import { type RedisAccount, readRedisAccount } from './read-redis-account';
import { readArriving } from './read-split-account';

/** A slice as Redis has it; `mayHave` counts the units on their way to it, too. */
type SliceAccount = RedisAccount & { mayHave: number };

/** Reads the slices of a split sale; empty for an undivided one. */
export async function readSlicesInRedis(sale: LoadedSale): Promise<(SliceAccount | null)[]> {
  if (sale.slices === 1) return [];
  const [accounts, arriving] = await Promise.all([
    Promise.all(loadingsOf(sale).map(({ saleId }) => readRedisAccount(saleId))),
    readArriving(sale),
  ]);
  return accounts.map(
    (account, at) => account && { ...account, mayHave: account.total + (arriving[at] ?? 0) },
  );
}

/**
 * Invariant 2 by slice: checks that what the slices may sell is the sale's total, and that none has in Redis what it may
 * not sell.
 */
export async function checkLedger(
  { saleId, slices, total }: LoadedSale & { total: number },
  inRedis: readonly (SliceAccount | null)[],
  findings: Findings,
): Promise<void> {
  if (slices === 1) return;
  const { totals } = await readLedger(db(), saleId);
  const dealt = totals.reduce((units, one) => units + one, 0);
  if (dealt !== total) findings.add(2, 'dealt_differs', { dealt, total });
  for (const [slice, account] of inRedis.entries()) {
    const inPostgres = totals[slice] ?? 0;
    if (account && account.mayHave !== inPostgres)
      findings.add(2, 'slice_differs', { slice, inRedis: account.mayHave, inPostgres });
  }
}
