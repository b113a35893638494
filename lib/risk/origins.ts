import 'server-only';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import type { Origin } from './noted';

/** An order's time to pay is a week at most; by then it has been counted. */
const KEEP_SEC = 8 * 86_400;
/**
 * Orders of about one second share a hash, so that many need one command instead of one each. No more than that share
 * one, because Redis blocks while it deletes a hash.
 */
const SPAN = 1n << 32n;

const spanOf = (orderNo: string): string => keys.riskOrigins(String(BigInt(orderNo) / SPAN));

/** Stores from where orders were bought, until their time to pay is over. */
export async function keepOrigins(origins: readonly Origin[]): Promise<void> {
  const spans = new Map<string, Record<string, string>>();
  for (const { orderNo, ip, device } of origins) {
    const span = spanOf(orderNo);
    const fields = spans.get(span) ?? {};
    fields[orderNo] = `${device} ${ip}`;
    spans.set(span, fields);
  }
  await Promise.all(
    [...spans].flatMap(([key, fields]) => [
      cacheRedis().hset(key, fields),
      cacheRedis().expire(key, KEEP_SEC),
    ]),
  );
}

/** Returns from where orders were bought, in the given order; empty if that is not known. */
export async function readOrderOrigins(
  orderNos: readonly string[],
): Promise<{ device: string; ip: string }[]> {
  const found = await Promise.all(orderNos.map((orderNo) => cacheRedis().hget(spanOf(orderNo), orderNo)));
  return found.map((text) => {
    const [device = '', ip = ''] = (text ?? '').split(' ');
    return { device, ip };
  });
}
