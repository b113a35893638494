import 'server-only';
import { inboxOf } from '@/lib/account/inbox-of';
import { keys } from '@/lib/redis/keys';
import { claimTry } from '@/lib/tries/claim-try';
import { hashSubject } from '@/lib/tries/hash-subject';
import type { ClaimResult, TryCounter } from '@/lib/tries/types';
import type { TriedThing } from './describe-wait';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Asks whether to serve a stranger's request that costs something even if it fails: a hash, a mail, a query. The
 * limit per address is generous, because a whole office may share one.
 * @param address from `countedAddress`; null: only `more` counts
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

/** Counts mails: one a minute, then fewer and fewer. @param maxMs the longest wait */
const mailCounter = (thing: TriedThing, scope: string, subject: string, maxMs = HOUR_MS): TryCounter => ({
  key: keys.tries(thing, scope, hashSubject(subject)),
  kind: 'ahead',
  free: 1,
  baseMs: MINUTE_MS,
  maxMs,
  keepMs: 24 * HOUR_MS,
});

/** Counts the mails to one inbox, in whatever spelling. A stranger may use it up by a spelling of their own. */
export const byInbox = (thing: TriedThing, email: string, maxMs: number): TryCounter =>
  mailCounter(thing, 'inbox', inboxOf(email), maxMs);

/** Counts the mails to one address as it is spelled. @param email in small letters */
export const bySpelling = (thing: TriedThing, email: string, maxMs: number): TryCounter =>
  mailCounter(thing, 'spelling', email, maxMs);

/** Counts the mails that one account asks for. */
export const byRequester = (thing: TriedThing, userId: string): TryCounter =>
  mailCounter(thing, 'account', userId);

/** Counts the mails about one order that staff send again. */
export const byOrder = (orderNo: string): TryCounter => mailCounter('order-mail', 'order', orderNo);
