import 'server-only';
import { nowMs } from '@/lib/clock';
import { db } from '@/lib/db/client';
import { decodeCursor, encodeCursor, type Page } from '@/lib/http/cursor';
import { type SaleInfo, toSaleInfo } from '@/lib/sale/types';
import { salePhase } from '@/lib/stock/sale-phase';
import type { SalePhase } from '@/lib/stock/types';
import { type Actor, seesAll } from './actor';

export type DeskSale = SaleInfo & {
  /** By the clock; whether it is sold out is on its live view. Null for drafts. */
  phase: SalePhase | null;
};

/** One page of the sales the actor may manage, newest first, drafts included. */
export async function listDeskSales(
  actor: Actor,
  { cursor, limit }: Page,
): Promise<{ sales: DeskSale[]; nextCursor: string | null }> {
  const rows = await db().sale.findMany({
    where: {
      ...(seesAll(actor) ? {} : { merchantId: actor.userId }),
      ...(cursor ? { id: { lt: decodeCursor(cursor) } } : {}),
    },
    include: { product: true },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit).map((row): DeskSale => {
    const sale = toSaleInfo(row);
    if (sale.status === 'draft') return { ...sale, phase: null };
    const left = row.totalStock === -1 ? -1 : row.totalStock - row.heldStock - row.soldStock;
    const clock = {
      serverTime: nowMs(),
      closed: sale.status === 'closed',
      total: row.totalStock,
      available: left,
    };
    return { ...sale, phase: salePhase({ ...sale, ...clock }) };
  });
  const last = page.at(-1);
  return { sales: page, nextCursor: rows.length > limit && last ? encodeCursor(last.saleId) : null };
}
