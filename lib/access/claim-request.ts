import 'server-only';
import { keys } from '@/lib/redis/keys';
import { claimTry } from '@/lib/tries/claim-try';
import { hashSubject } from '@/lib/tries/hash-subject';
import type { ClaimResult, TryCounter } from '@/lib/tries/types';
import type { TriedThing } from './describe-wait';

const HOUR_MS = 3_600_000;

/**
 * Asks whether to serve a stranger's request that costs something even if it fails: a hash, a mail, a query. The
 * limit per address is generous, because a whole office may share one.
 * @param address from `countedAddress`; null is never refused
 * @param more counters of other subjects
 */
export async function claimRequest(
  thing: TriedThing,
  address: string | null,
  more: readonly TryCounter[] = [],
): Promise<ClaimResult> {
  const own = address === null ? [] : [byAddress(thing, address)];
  const counters = [...own, ...more];
  if (counters.length > 0) return claimTry(counters);
  return { status: 'go', claim: { counters: [], charged: [], isLocal: true } };
}

const byAddress = (thing: TriedThing, address: string): TryCounter => ({
  key: keys.tries(thing, 'address', hashSubject(address)),
  kind: 'ahead',
  free: 20,
  keepMs: HOUR_MS,
});
