import { randomText } from '@/lib/ids/new-id';
import { createOrderNoSource, WORKER_COUNT } from '@/lib/ids/order-no';
import { shardOf } from '@/lib/ids/shard-of';
import { loadUserId } from '@/lib/load-test/create-load-users';
import { stockRedis } from '@/lib/redis/client';
import { readScript } from '@/lib/redis/run-script';
import { formatBought } from '@/lib/stock/bought';
import { purchaseKeys } from '@/lib/stock/purchase-together';
import { encodeCommand, runPipeline } from './pipeline';
import type { BenchSale } from './sales';

const CHUNK = 20_000;
/** Worker numbers are leased from 0 up, and the bench's few processes never reach the last one. */
const source = createOrderNoSource({ workerId: WORKER_COUNT - 1 });

/** Loads the product's purchase script. @returns its hash. */
export async function loadPurchaseScript(): Promise<string> {
  return String(await stockRedis().script('LOAD', readScript('purchase-3-n')));
}

/**
 * Returns the commands of `count` purchases by user `fromUser` and the following ones, as the product itself would
 * send them.
 * @param together purchases in one call; purchases of the same moment share a call.
 */
export function purchaseCommands(
  sha: string,
  sale: BenchSale,
  fromUser: number,
  count: number,
  together = 1,
): string[] {
  const { saleId, gate, epoch } = sale;
  const names = purchaseKeys(saleId);
  const purchase = (userId: string) => {
    const orderNo = source.next(shardOf(userId)).toString();
    const bought = formatBought({ jti: `jti_${randomText(26)}`, orderNo, quantity: 1 });
    return `${gate} ${userId} ${bought} 0`;
  };
  return Array.from({ length: count / together }, (_, call) => {
    const users = Array.from({ length: together }, (_, n) => loadUserId(fromUser + call * together + n));
    return encodeCommand(['EVALSHA', sha, names.length, ...names, epoch, ...users.map(purchase)]);
  });
}

/** Makes users 1 … `count` buyers of the sale, through the product's own script. */
export async function fillBuyers(
  redisUrl: string,
  sha: string,
  sale: BenchSale,
  count: number,
): Promise<void> {
  for (let done = 0; done < count; done += CHUNK) {
    await runPipeline(redisUrl, purchaseCommands(sha, sale, done + 1, Math.min(CHUNK, count - done)));
  }
}
