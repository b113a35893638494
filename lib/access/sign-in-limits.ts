import { keys } from '@/lib/redis/keys';
import { hashSubject } from '@/lib/tries/hash-subject';
import type { TryCounter } from '@/lib/tries/types';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Failures of an account within an hour from which on it is under attack: its owner doesn't mistype so often. */
export const ATTACKED_FROM = 20;
/** Failures of unknown devices in the whole shop within ten minutes from which on it is. */
const SHOP_ATTACKED_FROM = 200;

export type SignInTry = {
  /** In small letters. */
  email: string;
  /** From `countedAddress`; null: it tells nobody from anybody. */
  address: string | null;
  /** From `knownAs`; null: the account has not been signed in to with this browser. */
  knownAs: string | null;
};

const counter = (scope: string, ...subject: string[]) =>
  keys.tries('sign-in', scope, hashSubject(...subject));

const gauge = (key: string, free: number, keepMs: number): TryCounter => ({
  key,
  kind: 'gauge',
  free,
  keepMs,
});

/** Where `signInCounters` puts the account's gauge. */
export const ACCOUNT_GAUGE = 0;

/**
 * Which counters judge a try to sign in. A browser that has signed in to the account before has one of its own, so no
 * stranger and no neighbour makes its owner wait. Any other waits for its own failures: of this account from this address, and
 * of all accounts from this address. Failures from other addresses make nobody wait.
 */
export function signInCounters({ email, address, knownAs }: SignInTry): TryCounter[] {
  const account = gauge(counter('account', email), ATTACKED_FROM, HOUR_MS);
  if (knownAs !== null)
    return [account, { key: counter('device', email, knownAs), kind: 'ahead', free: 5, keepMs: DAY_MS }];
  const pair: TryCounter = {
    key: counter('pair', email, address ?? ''),
    kind: 'ahead',
    free: 5,
    tight: 2,
    keepMs: DAY_MS,
  };
  const shop = gauge(counter('shop'), SHOP_ATTACKED_FROM, 10 * MINUTE_MS);
  if (address === null) return [account, pair, shop];
  // Late: an office where many sign in at once has as many tries under way.
  const all: TryCounter = {
    key: counter('address', address),
    kind: 'late',
    free: 10,
    tight: 3,
    keepMs: HOUR_MS,
  };
  return [account, pair, shop, all];
}
