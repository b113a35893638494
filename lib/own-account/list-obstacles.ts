import 'server-only';
import type { DeletionView } from '@/lib/contract/shapes/account';
import type { Db } from '@/lib/db/client';
import { shardOf } from '@/lib/ids/shard-of';

/** Lists a user's orders that wait for payment, the most urgent first. Purchases that are not written yet are left out. */
export async function listUnpaidOrders(
  tx: Db,
  userId: string,
  most: number,
): Promise<DeletionView['unpaidOrders']> {
  const orders = await tx.order.findMany({
    where: { shard: shardOf(userId), userId, status: 'pending_payment' },
    select: { id: true, payBy: true, sale: { select: { title: true } } },
    orderBy: { payBy: 'asc' },
    take: most,
  });
  return orders.map(({ id, payBy, sale }) => ({
    orderNo: String(id),
    title: sale.title,
    payBy: payBy.getTime(),
  }));
}

/** Lists a merchant's sales that are published and not closed: they need a merchant who answers for them. */
export async function listLiveSales(
  tx: Db,
  userId: string,
  most: number,
): Promise<DeletionView['liveSales']> {
  const sales = await tx.sale.findMany({
    where: { merchantId: userId, status: 'published' },
    select: { id: true, title: true },
    orderBy: { startsAt: 'asc' },
    take: most,
  });
  return sales.map(({ id, title }) => ({ saleId: id, title }));
}
