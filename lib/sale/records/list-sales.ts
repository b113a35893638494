import 'server-only';
import { nowMs } from '@/lib/clock';
import type { Page } from '@/lib/contract/shapes/common';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { db } from '@/lib/db/client';
import type { Prisma } from '@/prisma/generated/client';
import {
  isAscending,
  LIST_GROUPS,
  type ListGroup,
  type ListPlace,
  listCursor,
  parseListCursor,
} from './list-order';
import { SALE_PARTS, toSaleInfo } from './to-sale-info';

type SaleListItem = SaleInfo;

/**
 * Lists published and closed sales for shoppers: first those that run, latest start first; then those to come, the
 * next one first; then those that are over, latest start first. The cursor is the group, start and id of the last
 * sale seen. A sale that starts or ends while a client pages may appear twice or not at all.
 */
export async function listSales({ cursor, limit }: Page = { limit: 50 }): Promise<{
  sales: SaleListItem[];
  nextCursor: string | null;
}> {
  const now = new Date(nowMs());
  const seen = cursor ? parseListCursor(cursor) : null;
  const found: { group: ListGroup; sale: SaleInfo }[] = [];
  for (const group of LIST_GROUPS.slice(seen ? LIST_GROUPS.indexOf(seen.group) : 0)) {
    const after = seen?.group === group ? seen : null;
    // One row more than asked for shows whether there is a next page.
    const rows = await findGroup(group, now, after, limit + 1 - found.length);
    for (const row of rows) found.push({ group, sale: toSaleInfo(row) });
    if (found.length > limit) break;
  }
  const last = found.length > limit ? found[limit - 1] : undefined;
  return {
    sales: found.slice(0, limit).map(({ sale }) => sale),
    nextCursor: last ? listCursor({ group: last.group, ...last.sale }) : null,
  };
}

function findGroup(group: ListGroup, now: Date, after: ListPlace | null, take: number) {
  const [direction, beyond] = isAscending(group) ? (['asc', 'gt'] as const) : (['desc', 'lt'] as const);
  const startsAt = new Date(after?.startsAt ?? 0);
  const unseen: Prisma.SaleWhereInput = after
    ? {
        OR: [{ startsAt: { [beyond]: startsAt } }, { startsAt, id: { [beyond]: after.saleId } }],
      }
    : {};
  return db().sale.findMany({
    where: { AND: [conditionOf(group, now), unseen] },
    include: SALE_PARTS,
    orderBy: [{ startsAt: direction }, { id: direction }],
    take,
  });
}

function conditionOf(group: ListGroup, now: Date): Prisma.SaleWhereInput {
  switch (group) {
    case 'running':
      return { status: 'published', startsAt: { lte: now }, endsAt: { gt: now } };
    case 'coming':
      return { status: 'published', startsAt: { gt: now } };
    case 'over':
      return { OR: [{ status: 'closed' }, { status: 'published', endsAt: { lte: now } }] };
  }
}
