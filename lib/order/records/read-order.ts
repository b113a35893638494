import 'server-only';
import { nowMs } from '@/lib/clock';
import type { OrderView, WrittenOrderView } from '@/lib/contract/shapes/order';
import type { WrittenStatus } from '@/lib/contract/words/order';
import type { Prisma } from '@/prisma/generated/client';
import { readRows } from './read-rows';

export const VIEW_INCLUDE = {
  sale: {
    select: {
      title: true,
      slug: true,
      product: { select: { imageUrl: true } },
      campaign: { select: { slug: true, title: true } },
    },
  },
  payment: { select: { provider: true } },
} as const satisfies Prisma.OrderInclude;

type Whole = Prisma.OrderGetPayload<{ include: typeof VIEW_INCLUDE }>;

/** The columns of an order's row that a view shows. */
export type ViewRow = Pick<
  Whole,
  | 'id'
  | 'saleId'
  | 'quantity'
  | 'unitPriceMinor'
  | 'amountMinor'
  | 'currency'
  | 'status'
  | 'payBy'
  | 'createdAt'
  | 'paidAt'
  | 'cancelledAt'
  | 'endReason'
  | 'version'
  | 'sale'
  | 'payment'
>;

/** Reads a user's order; null if there is none of this number or it is someone else's. */
export async function readOrder(userId: string, orderNo: string): Promise<OrderView | null> {
  const id = BigInt(orderNo);
  const [row] = (await readRows({ userId, upTo: id, most: 1 })) ?? [];
  return row?.id === id ? toOrderView(row) : null;
}

/** Turns the database row into the product's words. */
export function toOrderView(row: ViewRow): WrittenOrderView {
  return {
    orderNo: String(row.id),
    saleId: row.saleId,
    saleTitle: row.sale.title,
    saleSlug: row.sale.slug,
    campaign: row.sale.campaign,
    imageUrl: row.sale.product.imageUrl,
    quantity: row.quantity,
    unitPriceMinor: row.unitPriceMinor,
    amountMinor: row.amountMinor,
    currency: row.currency,
    status: row.status as WrittenStatus,
    payBy: row.payBy.getTime(),
    createdAt: row.createdAt.getTime(),
    paidAt: row.paidAt?.getTime() ?? null,
    cancelledAt: row.cancelledAt?.getTime() ?? null,
    endReason: row.endReason,
    provider: row.payment?.provider ?? null,
    serverTime: nowMs(),
    version: row.version,
  };
}
