import 'server-only';
import { isSessionEnded } from '@/lib/account/sessions/is-session-ended';
import { nowMs } from '@/lib/clock';
import type { EntryClaims } from '@/lib/entry/entry-claims';
import { type EntryVerdict, verifyEntryToken } from '@/lib/entry/verify-entry-token';

export type EntryCheck = EntryVerdict | { status: 'session_ended'; claims: EntryClaims };

/**
 * Tells whether an entry token is good for a sale now: we signed it, it has not run out, and the session it was
 * issued to has not ended. Asks this process's memory alone.
 */
export function verifyEntry(token: string, saleId: string): EntryCheck {
  const verdict = verifyEntryToken(token, saleId, nowMs());
  if (verdict.status !== 'valid' || !isSessionEnded(verdict.claims.session)) return verdict;
  return { status: 'session_ended', claims: verdict.claims };
}
