import 'server-only';
import type { SaleLimits } from '@/lib/contract/shapes/limit';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { addressKey } from '@/lib/http/address-key';
import type { Attempt } from '@/lib/limit/count-attempt';
import { countLocally } from '@/lib/limit/count-locally';
import { limitAttempt } from '@/lib/limit/limit-attempt';
import { keys } from '@/lib/redis/keys';
import type { LimitScope, RateLimited } from '@/lib/redis/limit-policy';

/** The interfaces of a sale that are limited. Each counts separately. */
type LimitedPlace = 'purchase' | 'entry' | 'reservation' | 'challenge' | 'waitlist';

/**
 * The client. `address` is null if it is unknown: then no address limit applies, because all such clients would share
 * one. `device` as the entry token or the cookie names it; empty or left out if unknown, and counted by no limit then.
 */
export type Requester = { userId: string; address: string | null; device?: string };

/** Returns by what the purchase script counts the client's address; undefined = not at all. */
export const limitedAddress = ({ limits }: Sale, { address }: Requester): string | undefined =>
  limits?.ip && address !== null ? addressKey(address) : undefined;

/** Returns by what it counts the client's device; undefined = not at all. */
export const limitedDevice = ({ limits }: Sale, { device }: Requester): string | undefined =>
  limits?.device && device ? device : undefined;

type Sale = Pick<SaleInfo, 'saleId' | 'limits'>;

/** The limits that are each client's own. The interface's is that of all together. */
const OF_A_CLIENT: readonly LimitScope[] = ['user', 'ip', 'device'];

/**
 * Counts one request by the sale's limits: by all of them or, if one refuses it, by none. While Redis is down, counts
 * in this process alone.
 * @param scopes which of the limits count here; the interface's is the purchase's alone
 * @returns the limit it met; null = let through
 */
export async function limitRequest(
  sale: Sale,
  place: LimitedPlace,
  requester: Requester,
  scopes: readonly LimitScope[] = OF_A_CLIENT,
): Promise<RateLimited | null> {
  const attempt = attemptOf(sale, place, requester, scopes);
  return attempt && limitAttempt(sale.saleId, attempt.limits, attempt.keys);
}

/**
 * Does the same as `limitRequest`, for answers that this process gives from memory. It counts them in memory too,
 * apart from the rest.
 */
export function limitFromMemory(sale: Sale, place: LimitedPlace, requester: Requester): RateLimited | null {
  const attempt = attemptOf(sale, place, requester, OF_A_CLIENT);
  return attempt && countLocally(attempt.limits, attempt.keys);
}

/** Builds the attempt to count; null if no limit counts it. */
function attemptOf(
  { saleId, limits }: Sale,
  place: LimitedPlace,
  { userId, address, device }: Requester,
  scopes: readonly LimitScope[],
): { limits: SaleLimits; keys: Attempt } | null {
  if (!limits) return null;
  const counted: Attempt = {};
  const subjects: Record<LimitScope, string | null> = {
    user: userId,
    interface: 'all',
    ip: address === null ? null : addressKey(address),
    device: device || null,
  };
  for (const scope of scopes) {
    const subject = subjects[scope];
    if (limits[scope] && subject !== null) counted[scope] = keys.limit(saleId, place, scope, subject);
  }
  return Object.keys(counted).length > 0 ? { limits, keys: counted } : null;
}
