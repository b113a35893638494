import 'server-only';
import { isSessionEnded } from '@/lib/account/sessions/is-session-ended';
import { nowMs } from '@/lib/clock';
import { type EntryVerdict, verifyEntryToken } from '@/lib/entry/verify-entry-token';

export type EntryCheck = EntryVerdict | { status: 'session_ended' };

const SESSION_ENDED: EntryCheck = { status: 'session_ended' };

/**
 * Whether an entry token is good for a sale now: signed by us, not run out, and the session it was issued to has not been
 * ended. Asks this process's memory alone.
 */
export function verifyEntry(token: string, saleId: string): EntryCheck {
  const verdict = verifyEntryToken(token, saleId, nowMs());
  return verdict.status === 'valid' && isSessionEnded(verdict.claims.session) ? SESSION_ENDED : verdict;
}
