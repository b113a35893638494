import 'server-only';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import type { Origin } from './noted';

/** An order's time to pay is a week at most; then it has been counted. */
const KEEP_SEC = 8 * 86_400;
/**
 * Orders of about a second share a hash: many are one command instead of one each. No more share one, because Redis waits
 * while it deletes it.
 */
const SPAN = 1n << 32n;

const spanOf = (orderNo: string): string => keys.riskOrigins(String(BigInt(orderNo) / SPAN));

/** Keeps where orders were bought from until their time to pay is over. */
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

/** Where orders were bought from, in their order; empty where that is not known. */
export async function readOrigins(orderNos: readonly string[]): Promise<{ device: string; ip: string }[]> {
  const found = await Promise.all(orderNos.map((orderNo) => cacheRedis().hget(spanOf(orderNo), orderNo)));
  return found.map((text) => {
    const [device = '', ip = ''] = (text ?? '').split(' ');
    return { device, ip };
  });
}
