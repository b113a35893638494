import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { sell } from '@/lib/purchase/sell';
import { createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { findSaleInfo, forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { readLedger } from '@/lib/sale/records/slice-ledger';
import { sliceOf } from '@/lib/slice/numbers/slice-of';
import { stocksOf } from '@/lib/slice/numbers/stock-ids';
import type { PurchaseResult } from '@/lib/stock/purchase-stock';
import { readSlice } from '@/lib/stock/read-slice';

/** For tests: a split sale on the real servers. */
export type SplitSale = SaleFixture & { slices: number; stocks: readonly string[] };

/** Makes a split sale that is open, 4 slices and 10 units unless `options` say otherwise. */
export async function createSplitSale(
  options: Parameters<typeof createSaleFixture>[0] = {},
): Promise<SplitSale> {
  const slices = options?.slices ?? 4;
  const sale = await createSaleFixture({ ...options, slices });
  return { ...sale, slices, stocks: stocksOf(sale.saleId, slices) };
}

/** Asks to buy as the purchase endpoint does, once the entry token has been checked. */
export async function sellTo(
  { saleId, gate }: SplitSale,
  userId: string,
  { quantity = 1, jti = newId('jti') } = {},
): Promise<PurchaseResult> {
  const info = await findSaleInfo(saleId);
  if (!info) throw new Error(`there is no sale ${saleId}`);
  const { epoch, endsAt } = info;
  return sell(info, { saleId, epoch, gate, userId, jti, quantity, endsAt }, { userId, address: null });
}

/** Asks again while it can't be said, as a shopper's page does. */
export async function insist(sale: SplitSale, userId: string, jti = newId('jti')) {
  for (;;) {
    const answer = await sellTo(sale, userId, { jti }).catch(() => ({ status: 'busy' as const }));
    if (answer.status !== 'busy') return answer;
  }
}

/** Makes the id of a user, who need not exist, in a slice. */
export function userIn({ slices }: SplitSale, slice: number): string {
  for (;;) {
    const id = newId('user');
    if (sliceOf(id, slices) === slice) return id;
  }
}

/** Reads the units of a sale by slice in Redis, and what Postgres says of each. */
export async function readUnits({ saleId, stocks }: SplitSale) {
  const [slices, ledger] = await Promise.all([
    Promise.all(stocks.map((stockId) => readSlice(stockId))),
    readLedger(db(), saleId),
  ]);
  return {
    available: slices.map((slice) => slice?.available ?? null),
    totals: slices.map((slice) => slice?.total ?? null),
    sent: slices.map((slice) => slice?.sent ?? null),
    dealt: ledger.totals,
    parcels: ledger.parcels,
  };
}

/** Reads the sale again, as other processes do within a second. */
export const renewInfo = ({ saleId }: SplitSale): Promise<void> => forgetSaleInfo(saleId);
