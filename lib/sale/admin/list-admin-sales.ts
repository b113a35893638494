import 'server-only';
import { type Actor, shopsOf } from '@/lib/actor/actor';
import { nowMs } from '@/lib/clock';
import type { Page } from '@/lib/contract/shapes/common';
import type { AdminSale } from '@/lib/contract/shapes/sale';
import type { SaleFilter } from '@/lib/contract/shapes/sale-input';
import { readStale } from '@/lib/db/read-stale';
import { decodeCursor, encodeCursor } from '@/lib/http/cursor';
import { SALE_PARTS, toSaleInfo } from '@/lib/sale/records/to-sale-info';
import { salePhase } from '@/lib/stock/sale-phase';
import { saleCondition, saleOrder } from './sale-filter';

/** Returns one page of the sales the actor may see, drafts included, newest first unless another order is asked for. */
export async function listAdminSales(
  actor: Actor,
  { cursor, limit }: Page,
  filter: SaleFilter = { sort: 'newest' },
): Promise<{ sales: AdminSale[]; nextCursor: string | null }> {
  const shops = await shopsOf(actor);
  const order = saleOrder(filter.sort);
  const rows = await readStale((client) =>
    client.sale.findMany({
      where: {
        AND: [
          shops === null ? {} : { merchantId: { in: shops } },
          cursor ? order.after(decodeCursor(cursor)) : {},
          saleCondition(filter, nowMs()),
        ],
      },
      include: SALE_PARTS,
      orderBy: order.orderBy,
      take: limit + 1,
    }),
  );
  const page = rows.slice(0, limit).map((row): AdminSale => {
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
  return { sales: page, nextCursor: rows.length > limit && last ? encodeCursor(order.cursorOf(last)) : null };
}
