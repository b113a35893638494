import 'server-only';
import type { SaleLimits } from '@/lib/contract/shapes/limit';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { addressKey } from '@/lib/http/address-key';
import type { Attempt } from '@/lib/limit/count-attempt';
import { countLocally } from '@/lib/limit/count-locally';
import { limitAttempt } from '@/lib/limit/limit-attempt';
import { keys } from '@/lib/redis/keys';
import type { LimitScope, RateLimited } from '@/lib/redis/limit-policy';

/** The interfaces of a sale that are limited; each counts for itself. */
type LimitedPlace = 'purchase' | 'entry' | 'reservation' | 'challenge';

/**
 * Who asks. `address` is null where nothing tells: then it is not limited, or all such would share one limit. `device` as
 * the entry token or the cookie names it; empty or left out if unknown.
 */
export type Requester = { userId: string; address: string | null; device?: string };

/** What the purchase script counts the requester's address by; undefined = not at all. */
export const countedAddress = ({ limits }: Sale, { address }: Requester): string | undefined =>
  limits?.ip && address !== null ? addressKey(address) : undefined;

type Sale = Pick<SaleInfo, 'saleId' | 'limits'>;

/**
 * Counts one request by the sale's limits: by all of them or, if one refuses it, by none. While Redis is down, in this
 * process alone.
 * @param scopes which of the limits count here; the interface's is the purchase's alone
 * @returns the limit it met; null = let through
 */
export async function limitRequest(
  sale: Sale,
  place: LimitedPlace,
  requester: Requester,
  scopes: readonly LimitScope[] = ['user', 'ip'],
): Promise<RateLimited | null> {
  const attempt = attemptOf(sale, place, requester, scopes);
  return attempt && limitAttempt(sale.saleId, attempt.limits, attempt.keys);
}

/** As `limitRequest`, for answers that this process gives from memory: they are counted there too, apart from the rest. */
export function limitFromMemory(sale: Sale, place: LimitedPlace, requester: Requester): RateLimited | null {
  const attempt = attemptOf(sale, place, requester, ['user', 'ip']);
  return attempt && countLocally(attempt.limits, attempt.keys);
}

/** Null if no limit counts it. */
function attemptOf(
  { saleId, limits }: Sale,
  place: LimitedPlace,
  { userId, address }: Requester,
  scopes: readonly LimitScope[],
): { limits: SaleLimits; keys: Attempt } | null {
  if (!limits) return null;
  const counted: Attempt = {};
  const subjects = { user: userId, interface: 'all', ip: address === null ? null : addressKey(address) };
  for (const scope of scopes) {
    const subject = subjects[scope];
    if (limits[scope] && subject !== null) counted[scope] = keys.limit(saleId, place, scope, subject);
  }
  return Object.keys(counted).length > 0 ? { limits, keys: counted } : null;
}
