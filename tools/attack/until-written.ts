import { db } from '@/lib/db/client';
import { readStock } from '@/lib/stock/read-stock';
import { until } from '@/tools/harness/until';

/** Waits until every unit that Redis has sold is in an order. @returns the sale's buyers, with an entry for each unit */
export async function untilWritten(saleId: string): Promise<{ userId: string }[]> {
  let buyers: { userId: string }[] = [];
  await until(`orders of ${saleId} are written`, async () => {
    const stock = await readStock(saleId);
    const orders = await db().order.findMany({ where: { saleId }, select: { userId: true, quantity: true } });
    buyers = orders.flatMap(({ userId, quantity }) => Array.from({ length: quantity }, () => ({ userId })));
    return stock !== null && stock.held + stock.sold <= buyers.length;
  });
  return buyers;
}
