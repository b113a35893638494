import 'server-only';
import { db } from '@/lib/db/client';
import { decodeCursor, encodeCursor, type Page } from '@/lib/http/cursor';
import { type SaleInfo, toSaleInfo } from './types';

export type SaleListItem = SaleInfo;

/**
 * Published and closed sales for shoppers: the latest start first.
 * The cursor is the start and id of the last one seen.
 */
export async function listSales({ cursor, limit }: Page = { limit: 50 }): Promise<{
  sales: SaleListItem[];
  nextCursor: string | null;
}> {
  const after = cursor ? parseCursor(cursor) : null;
  const rows = await db().sale.findMany({
    where: {
      status: { not: 'draft' },
      ...(after
        ? {
            OR: [
              { startsAt: { lt: after.startsAt } },
              { startsAt: after.startsAt, id: { lt: after.saleId } },
            ],
          }
        : {}),
    },
    include: { product: true },
    orderBy: [{ startsAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  });
  const page = rows.slice(0, limit).map(toSaleInfo);
  const last = page.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { sales: page, nextCursor: more ? encodeCursor(`${last.startsAt}:${last.saleId}`) : null };
}

function parseCursor(cursor: string): { startsAt: Date; saleId: string } {
  const [startsAt = '', saleId = ''] = decodeCursor(cursor).split(':');
  const date = new Date(Number(startsAt));
  // A cursor that isn't ours starts from the beginning.
  return Number.isNaN(date.getTime())
    ? { startsAt: new Date(8.64e15), saleId: '' }
    : { startsAt: date, saleId };
}
