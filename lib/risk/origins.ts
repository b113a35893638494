import 'server-only';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import type { Origin } from './noted';

/** An order's time to pay is a week at most; then it has been counted. */
const KEEP_SEC = 8 * 86_400;

/** Keeps where orders were bought from until their time to pay is over. */
export async function keepOrigins(origins: readonly Origin[]): Promise<void> {
  await Promise.all(
    origins.map(({ orderNo, ip, device }) =>
      cacheRedis().set(keys.riskOrigin(orderNo), `${device} ${ip}`, 'EX', KEEP_SEC),
    ),
  );
}

/** Where orders were bought from, in their order; empty where that is not known. */
export async function readOrigins(orderNos: readonly string[]): Promise<{ device: string; ip: string }[]> {
  const found = await Promise.all(orderNos.map((orderNo) => cacheRedis().get(keys.riskOrigin(orderNo))));
  return found.map((text) => {
    const [device = '', ip = ''] = (text ?? '').split(' ');
    return { device, ip };
  });
}
