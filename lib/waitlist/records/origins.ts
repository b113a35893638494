import 'server-only';
import { log } from '@/lib/http/log';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** From where a place was taken: the device's id, empty if unknown, and the client's address. */
type Origin = { device: string; address: string | null };

/** For so long after the sale's end the places still become orders, ms. */
const GRACE_MS = 3_600_000;

/**
 * Remembers from where a shopper took a place among those who get units later, so that a block of that device or network
 * counts then, too. Only the cache Redis knows it, until the sale is over. Never fails: if it is lost, the account alone
 * counts.
 */
export async function keepOrigin(
  { saleId, endsAt }: { saleId: string; endsAt: number },
  userId: string,
  { device, address }: Origin,
): Promise<void> {
  if (device === '' && address === null) return;
  const key = keys.waitlistOrigins(saleId);
  await Promise.all([
    cacheRedis().hset(key, userId, `${device} ${address ?? ''}`),
    cacheRedis().pexpireat(key, endsAt + GRACE_MS),
  ]).catch((err: unknown) => log.warn({ saleId, err }, 'from where a place was taken is not remembered'));
}

/** Forgets from where a user took places. @throws connection errors */
export async function forgetOrigin(saleId: string, userId: string): Promise<void> {
  await cacheRedis().hdel(keys.waitlistOrigins(saleId), userId);
}

/** Reads from where users took their places, as far as that is known. Never fails. */
export async function readOrigins(saleId: string, userIds: readonly string[]): Promise<Map<string, Origin>> {
  if (userIds.length === 0) return new Map();
  const texts = await cacheRedis()
    .hmget(keys.waitlistOrigins(saleId), ...userIds)
    .catch((err: unknown) => {
      log.warn({ saleId, err }, 'from where places were taken is not known');
      return [];
    });
  return new Map(
    userIds.flatMap((userId, at): [string, Origin][] => {
      const [device = '', address = ''] = (texts[at] ?? '').split(' ');
      return texts[at] ? [[userId, { device, address: address || null }]] : [];
    }),
  );
}
