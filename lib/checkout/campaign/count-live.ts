import 'server-only';
import { readBuyer } from '@/lib/stock/read-buyer';

/** Counts the units that a shopper has in a sale, held or sold. @throws connection errors */
export async function countLive(saleId: string, userId: string): Promise<number> {
  const records = await readBuyer(saleId, userId);
  return records.reduce((sum, { state, units }) => sum + (state === 'released' ? 0 : units), 0);
}
