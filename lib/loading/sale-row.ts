import 'server-only';
import type { SaleLimits } from '@/lib/contract/shapes/limit';
import type { Db } from '@/lib/db/client';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { endOf } from '@/lib/sale/records/end-of';
import type { Sale as SaleRow } from '@/prisma/generated/client';

/** Locks a sale's row until the transaction ends: nobody commits or frees units of it meanwhile. */
export async function lockSale(tx: Db, saleId: string): Promise<SaleRow | null> {
  await tx.$executeRaw`SELECT 1 FROM sales WHERE id = ${saleId} FOR UPDATE`;
  return tx.sale.findUnique({ where: { id: saleId } });
}

/** Returns how many units of each variant of a sale are left, in order, as Postgres has committed them. The sale is locked. */
export async function readVariantsLeft(tx: Db, saleId: string): Promise<number[]> {
  const rows = await tx.saleVariant.findMany({ where: { saleId }, orderBy: { number: 'asc' } });
  return rows.map(({ stock, held, sold }) => stock - held - sold);
}

/** Returns when a unit was last taken, from Postgres and the purchases on their way; null: never. Epoch ms. */
export function lastTaken(
  { soldOutAt }: Pick<SaleRow, 'soldOutAt'>,
  inFlight: readonly AcceptedOrder[],
): number | null {
  const known = soldOutAt?.getTime() ?? 0;
  return inFlight.reduce((last, { acceptedAt }) => Math.max(last, acceptedAt), known) || null;
}

/** Returns the settings with which Redis loads a sale, or a slice of it. */
export const settingsOf = (sale: SaleRow) => ({
  startsAt: sale.startsAt.getTime(),
  endsAt: endOf(sale),
  paused: sale.paused,
  closed: sale.status === 'closed',
  gate: sale.gate,
  limit: sale.limitPerUser,
  limits: sale.limits as SaleLimits | null,
});
