import { routing } from '@/i18n/routing';
import type { SaleFilter } from '@/lib/contract/shapes/sale-input';
import type { AdminSaleState, SaleOrder } from '@/lib/contract/words/sale';
import { jsonContains, literal } from '@/lib/db/literal';
import { nameContains } from '@/lib/product/name-contains';
import type { Prisma } from '@/prisma/generated/client';

function inState(status: AdminSaleState, now: Date): Prisma.SaleWhereInput {
  switch (status) {
    case 'draft':
      return { status: 'draft' };
    case 'scheduled':
      return { status: 'published', startsAt: { gt: now }, endsAt: { gt: now } };
    case 'running':
      return { status: 'published', paused: false, startsAt: { lte: now }, endsAt: { gt: now } };
    case 'paused':
      return { status: 'published', paused: true, startsAt: { lte: now }, endsAt: { gt: now } };
    case 'ended':
      return { OR: [{ status: 'closed' }, { status: 'published', endsAt: { lte: now } }] };
  }
}

const titleContains = (q: string): Prisma.SaleWhereInput[] => [
  { title: { contains: literal(q), mode: 'insensitive' } },
  ...routing.locales.map((locale) => ({ titles: jsonContains([locale], q) })),
];

/** Returns the database condition for a filter. @param nowMs the moment by which states are judged */
export function saleCondition({ status, q, from, to }: SaleFilter, nowMs: number): Prisma.SaleWhereInput {
  return {
    AND: [
      status ? inState(status, new Date(nowMs)) : {},
      q ? { OR: [...titleContains(q), { product: { OR: nameContains(q) } }, { id: q }, { slug: q }] } : {},
      from === undefined ? {} : { endsAt: { gte: new Date(from) } },
      to === undefined ? {} : { startsAt: { lte: new Date(to) } },
    ],
  };
}

/** Returns an order of sales, and the condition for those beyond a cursor in it. The cursor is `id` or `startsAt:id`. */
export function saleOrder(sort: SaleOrder): {
  orderBy: Prisma.SaleOrderByWithRelationInput[];
  after: (cursor: string) => Prisma.SaleWhereInput;
  cursorOf: (sale: { saleId: string; startsAt: number }) => string;
} {
  if (sort === 'newest')
    return {
      orderBy: [{ id: 'desc' }],
      after: (cursor) => ({ id: { lt: cursor } }),
      cursorOf: ({ saleId }) => saleId,
    };
  const [direction, beyond] = sort === 'start' ? (['asc', 'gt'] as const) : (['desc', 'lt'] as const);
  return {
    orderBy: [{ startsAt: direction }, { id: direction }],
    after: (cursor) => {
      const [startsAt = '', id = ''] = cursor.split(':');
      const at = new Date(Number(startsAt));
      // With a cursor that isn't ours the list starts from the beginning.
      if (Number.isNaN(at.getTime())) return {};
      return { OR: [{ startsAt: { [beyond]: at } }, { startsAt: at, id: { [beyond]: id } }] };
    },
    cursorOf: ({ saleId, startsAt }) => `${startsAt}:${saleId}`,
  };
}
