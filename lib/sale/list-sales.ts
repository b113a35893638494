import 'server-only';
import { nowMs } from '@/lib/clock';
import { db } from '@/lib/db/client';
import { decodeCursor, encodeCursor, type Page } from '@/lib/http/cursor';
import type { Prisma } from '@/prisma/generated/client';
import { type SaleInfo, toSaleInfo } from './types';

export type SaleListItem = SaleInfo;

/** In the order they are listed: what can be bought comes before what is to come, however much of that there is. */
const GROUPS = ['running', 'coming', 'over'] as const;
type Group = (typeof GROUPS)[number];

/** The last sale somebody has seen. */
type Seen = { group: Group; startsAt: Date; saleId: string };

/**
 * Published and closed sales for shoppers: those that run, the latest start first; those to come, the next one first; those
 * that are over, the latest start first. The cursor is the group, start and id of the last one seen: a sale that starts or
 * ends while somebody pages may be met twice or not at all.
 */
export async function listSales({ cursor, limit }: Page = { limit: 50 }): Promise<{
  sales: SaleListItem[];
  nextCursor: string | null;
}> {
  const now = new Date(nowMs());
  const seen = cursor ? parseCursor(cursor) : null;
  const found: { group: Group; sale: SaleInfo }[] = [];
  for (const group of GROUPS.slice(seen ? GROUPS.indexOf(seen.group) : 0)) {
    const after = seen?.group === group ? seen : null;
    // One more than asked for says whether there is a next page.
    const rows = await findGroup(group, now, after, limit + 1 - found.length);
    for (const row of rows) found.push({ group, sale: toSaleInfo(row) });
    if (found.length > limit) break;
  }
  const last = found.length > limit ? found[limit - 1] : undefined;
  return {
    sales: found.slice(0, limit).map(({ sale }) => sale),
    nextCursor: last ? encodeCursor(`${last.group}:${last.sale.startsAt}:${last.sale.saleId}`) : null,
  };
}

function findGroup(group: Group, now: Date, after: Seen | null, take: number) {
  const [direction, beyond] = group === 'coming' ? (['asc', 'gt'] as const) : (['desc', 'lt'] as const);
  const unseen: Prisma.SaleWhereInput = after
    ? {
        OR: [
          { startsAt: { [beyond]: after.startsAt } },
          { startsAt: after.startsAt, id: { [beyond]: after.saleId } },
        ],
      }
    : {};
  return db().sale.findMany({
    where: { AND: [conditionOf(group, now), unseen] },
    include: { product: true },
    orderBy: [{ startsAt: direction }, { id: direction }],
    take,
  });
}

function conditionOf(group: Group, now: Date): Prisma.SaleWhereInput {
  switch (group) {
    case 'running':
      return { status: 'published', startsAt: { lte: now }, endsAt: { gt: now } };
    case 'coming':
      return { status: 'published', startsAt: { gt: now } };
    case 'over':
      return { OR: [{ status: 'closed' }, { status: 'published', endsAt: { lte: now } }] };
  }
}

/** @returns null, the beginning, for a cursor that isn't ours */
function parseCursor(cursor: string): Seen | null {
  const [, group, startsAt, saleId = ''] = /^(\w+):(\d{1,15}):(.+)$/.exec(decodeCursor(cursor)) ?? [];
  const known = GROUPS.find((one) => one === group);
  return known ? { group: known, startsAt: new Date(Number(startsAt)), saleId } : null;
}
