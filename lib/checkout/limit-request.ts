import 'server-only';
import { addressKey } from '@/lib/http/address-key';
import { countLocally } from '@/lib/limit/count-locally';
import { limitCall } from '@/lib/limit/limit-call';
import { keys } from '@/lib/redis/keys';
import type { LimitPolicy, LimitScope, RateLimited } from '@/lib/redis/limit-policy';
import type { SaleInfo } from '@/lib/sale/types';

/** The interfaces of a sale that are limited; each counts for itself. */
export type LimitedPlace = 'purchase' | 'entry' | 'reservation' | 'challenge';

/**
 * Who asks. `address` is null where nothing tells: then it is not limited, or all such would share one limit. `device` as
 * the entry token or the cookie names it; empty or left out if unknown.
 */
export type Asker = { userId: string; address: string | null; device?: string };

/** What the purchase script counts the asker's address by; undefined = not at all. */
export const countedAddress = ({ limits }: Sale, { address }: Asker): string | undefined =>
  limits?.ip && address !== null ? addressKey(address) : undefined;

type Sale = Pick<SaleInfo, 'saleId' | 'limits'>;
type Applied = { scope: LimitScope; policy: LimitPolicy; key: string };

/**
 * Counts one request by the sale's limits, the address's first: a user who is refused has still come from there. While
 * Redis is down, in this process alone.
 * @param scopes which of the limits count here; the interface's is the purchase's alone
 * @returns null = let through
 */
export async function limitRequest(
  sale: Sale,
  place: LimitedPlace,
  asker: Asker,
  scopes: readonly LimitScope[] = ['ip', 'user'],
): Promise<RateLimited | null> {
  for (const applied of whatApplies(sale, place, asker, scopes)) {
    const waitMs = await limitCall(sale.saleId, applied.policy, applied.key);
    if (waitMs > 0) return limitedBy(applied, waitMs);
  }
  return null;
}

/** As `limitRequest`, for answers that this process gives from memory: they are counted there too, apart from the rest. */
export function limitFromMemory(sale: Sale, place: LimitedPlace, asker: Asker): RateLimited | null {
  for (const applied of whatApplies(sale, place, asker, ['ip', 'user'])) {
    const waitMs = countLocally(applied.policy, applied.key);
    if (waitMs > 0) return limitedBy(applied, waitMs);
  }
  return null;
}

function whatApplies(
  { saleId, limits }: Sale,
  place: LimitedPlace,
  { userId, address }: Asker,
  scopes: readonly LimitScope[],
): Applied[] {
  const subjects = { ip: address === null ? null : addressKey(address), user: userId, interface: 'all' };
  return scopes.flatMap((scope) => {
    const [policy, subject] = [limits?.[scope], subjects[scope]];
    return policy && subject !== null
      ? { scope, policy, key: keys.limit(saleId, place, scope, subject) }
      : [];
  });
}

const limitedBy = ({ scope, policy }: Applied, waitMs: number): RateLimited => ({
  ...{ scope, waitMs, limit: policy.limit },
  windowMs: policy.windowSec * 1000,
});
