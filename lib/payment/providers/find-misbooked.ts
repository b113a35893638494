import 'server-only';
import { isDeepStrictEqual } from 'node:util';
import { findDiscarded } from '@/lib/outbox/find-discarded';
import type { Money, ProviderState } from '@/lib/payment/records/types';
import { limitMs } from '@/lib/time-limits';
import { type BooksDifference, compareBooks } from '../records/compare-books';
import { type BookedPayment, readOwnBooks } from '../records/own-books';
import { reachProvider } from './reach-provider';

/** The consumer name of the dead letters that ask a person to look at a payment whose provider's books differ. */
export const PROVIDER_BOOKS = 'provider-books';

/** A payment whose books at the provider differ from ours, and no process is about to put that right. */
export type Misbooked = {
  provider: string;
  paymentId: string;
  /** Null: the payment is not in our books. */
  own: BookedPayment | null;
  difference: BooksDifference | 'unknown_payment';
  theirs: ProviderState;
};

/**
 * Identifies a finding by payment, kind and money; two findings with the same name are the same. Fits a dead letter's
 * message id.
 */
export const nameOf = ({ provider, paymentId, difference, theirs }: Misbooked): string =>
  [provider, paymentId, difference, ...(theirs.status === 'unknown' ? [] : moneyWords(theirs))].join(' ');

const moneyWords = ({ amountMinor, currency }: Money) => [String(amountMinor), currency];

/**
 * Compares payments with their provider's books. Leaves out findings that a person has looked at and closed.
 * @param own our books of them, as far as we know them
 */
export async function compareAll(
  provider: string,
  own: readonly BookedPayment[],
  theirs: ReadonlyMap<string, ProviderState>,
): Promise<Misbooked[]> {
  const known = new Map(own.map((books) => [books.paymentId, books]));
  const found: Misbooked[] = [];
  for (const paymentId of new Set([...known.keys(), ...theirs.keys()])) {
    const books = known.get(paymentId) ?? null;
    const state = theirs.get(paymentId) ?? { status: 'unknown' };
    const difference = books ? compareBooks(books, state) : isHeld(state) ? 'unknown_payment' : null;
    if (difference) found.push({ provider, paymentId, own: books, difference, theirs: state });
  }
  if (found.length === 0) return found;
  const closed = await findDiscarded(PROVIDER_BOOKS, found.map(nameOf));
  return found.filter((one) => !closed.has(nameOf(one)));
}

const isHeld = ({ status }: ProviderState): boolean => status === 'succeeded';

/**
 * Asks a provider about up to 1,000 payments and compares. Reads our books before and after: what changed meanwhile
 * is under way, and no difference. @throws ProviderSilentError
 */
export async function findMisbooked(provider: string, paymentIds: readonly string[]): Promise<Misbooked[]> {
  const own = await readOwnBooks(provider, paymentIds);
  const theirs = await reachProvider(
    provider,
    (asked) => asked.queryStates(paymentIds),
    limitMs('providerMany'),
  );
  const found = await compareAll(provider, own, theirs);
  if (found.length === 0) return found;
  const after = await readOwnBooks(
    provider,
    found.map(({ paymentId }) => paymentId),
  );
  const now = new Map(after.map((books) => [books.paymentId, books]));
  return found.filter(({ paymentId, own: before }) => isDeepStrictEqual(before, now.get(paymentId) ?? null));
}
