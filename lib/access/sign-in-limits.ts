import { keys } from '@/lib/redis/keys';
import { hashSubject } from '@/lib/tries/hash-subject';
import type { TryCounter } from '@/lib/tries/types';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** From this many failures within an hour an account counts as under attack: its owner doesn't mistype so often. */
export const ATTACKED_FROM = 20;
/** From this many failures by unknown devices within ten minutes the whole shop counts as under attack. */
const SHOP_ATTACKED_FROM = 200;

export type SignInTry = {
  /** In small letters. */
  email: string;
  /** From `countedAddress`; null if it can't tell clients apart. */
  address: string | null;
  /** From `knownAs`; null if nobody has signed in to the account with this browser. */
  knownAs: string | null;
};

const keyFor = (scope: string, ...subject: string[]) => keys.tries('sign-in', scope, hashSubject(...subject));

const gauge = (key: string, free: number, keepMs: number): TryCounter => ({
  key,
  kind: 'gauge',
  free,
  keepMs,
});

/** The index of the account's gauge in the result of `signInCounters`. */
export const ACCOUNT_GAUGE = 0;

/**
 * Returns the counters that judge a try to sign in. A browser that has signed in to the account before has its own
 * counter, so no stranger makes the owner wait. Any other browser waits for the failures of its own address: at this
 * account, and at all accounts.
 */
export function signInCounters({ email, address, knownAs }: SignInTry): TryCounter[] {
  const account = gauge(keyFor('account', email), ATTACKED_FROM, HOUR_MS);
  if (knownAs !== null)
    return [account, { key: keyFor('device', email, knownAs), kind: 'ahead', free: 5, keepMs: DAY_MS }];
  const pair: TryCounter = {
    key: keyFor('pair', email, address ?? ''),
    kind: 'ahead',
    free: 5,
    tight: 2,
    keepMs: DAY_MS,
  };
  const shop = gauge(keyFor('shop'), SHOP_ATTACKED_FROM, 10 * MINUTE_MS);
  if (address === null) return [account, pair, shop];
  // Late: an office where many people sign in at once has that many tries under way.
  const all: TryCounter = {
    key: keyFor('address', address),
    kind: 'late',
    free: 10,
    tight: 3,
    keepMs: HOUR_MS,
  };
  return [account, pair, shop, all];
}
