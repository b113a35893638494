import { setTimeout as sleep } from 'node:timers/promises';
import { readSaleProof } from '@/lib/checkout/draw/read-sale-proof';
import type { LineProof, OrderFile } from '@/lib/contract/shapes/line-proof';
import { gatherOrder } from '@/lib/decision-log/proof/gather-order';
import { publishLogs } from '@/lib/decision-log/publish-logs';

const WITHIN_MS = 120_000;

/** For tests: lets the log of a sale grow and be signed, then gathers the list of its line or draw. */
export async function signedOrder(saleId: string): Promise<OrderFile> {
  const until = Date.now() + WITHIN_MS;
  while (Date.now() < until) {
    await publishLogs();
    const file = await gatherOrder(async (from) => (await readSaleProof(saleId, from)) as LineProof);
    if (file) return file;
    await sleep(200);
  }
  throw new Error(`the order of ${saleId} was not signed in time`);
}
