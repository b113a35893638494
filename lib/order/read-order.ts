import 'server-only';
import { nowMs } from '@/lib/clock';
import type { OrderView, WrittenOrderView } from '@/lib/contract/shapes/order';
import type { WrittenStatus } from '@/lib/contract/words/order';
import { db } from '@/lib/db/client';
import type { Prisma } from '@/prisma/generated/client';
import { orderKey } from './order-key';

export const VIEW_INCLUDE = {
  sale: { select: { title: true, slug: true, product: { select: { imageUrl: true } } } },
  payment: { select: { provider: true } },
} as const satisfies Prisma.OrderInclude;

type ViewRow = Prisma.OrderGetPayload<{ include: typeof VIEW_INCLUDE }>;

/** Reads a user's order; null if there is none of this number or it is someone else's. */
export async function readOrder(userId: string, orderNo: string): Promise<OrderView | null> {
  const { shard, id } = orderKey(orderNo);
  const row = await db().order.findUnique({ where: { shard_id: { shard, id } }, include: VIEW_INCLUDE });
  return row && row.userId === userId ? toOrderView(row) : null;
}

/** Turns the database row into the product's words. */
export function toOrderView(row: ViewRow): WrittenOrderView {
  return {
    orderNo: String(row.id),
    saleId: row.saleId,
    saleTitle: row.sale.title,
    saleSlug: row.sale.slug,
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
