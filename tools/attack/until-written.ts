import { setTimeout as sleep } from 'node:timers/promises';
import { readStock } from '@/lib/stock/read-stock';
import { readBuyers } from './sale';

const POLL_MS = 50;
const TIMEOUT_MS = 60_000;

/** Waits until every unit that Redis has sold is in an order. Returns the sale's buyers, with an entry for each unit. */
export async function untilWritten(saleId: string): Promise<Awaited<ReturnType<typeof readBuyers>>> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const [stock, buyers] = [await readStock(saleId), await readBuyers(saleId)];
    if (stock && stock.held + stock.sold <= buyers.length) return buyers;
    if (Date.now() > deadline) throw new Error(`orders of ${saleId} are not written`);
    await sleep(POLL_MS);
  }
}
