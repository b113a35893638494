import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** Units for sale of a variant; 0: the sale has none. */
export type Free = { variant: number; units: number };

/** Reads how many units are for sale, of each variant that has some left. @throws connection errors */
export async function readFree(saleId: string): Promise<Free[]> {
  const [available, variants] = await stockRedis().hmget(keys.sale(saleId), 'available', 'variants');
  const free = variants
    ? variants.split(' ').map((units, at) => ({ variant: at + 1, units: Number(units) }))
    : [{ variant: 0, units: Number(available ?? 0) }];
  return free.filter(({ units }) => units > 0);
}
