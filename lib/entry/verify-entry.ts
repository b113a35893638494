import 'server-only';
import { isSessionEnded } from '@/lib/account/sessions/is-session-ended';
import { nowMs } from '@/lib/clock';
import { isTurnLeft } from '@/lib/line/records/left-turns';
import type { EntryClaims } from './entry-claims';
import { type EntryVerdict, verifyEntryToken } from './verify-entry-token';

export type EntryCheck = EntryVerdict | { status: 'session_ended'; claims: EntryClaims };

/**
 * Tells whether an entry token is good for a sale now: we signed it, it has not run out, and the session it was
 * issued to has not ended. A token of a turn that was left has run out. Asks this process's memory alone.
 */
export function verifyEntry(token: string, saleId: string): EntryCheck {
  const verdict = verifyEntryToken(token, saleId, nowMs());
  if (verdict.status === 'invalid') return verdict;
  if (isSessionEnded(verdict.claims.session)) return { status: 'session_ended', claims: verdict.claims };
  return isTurnLeft(verdict.claims) ? { ...verdict, status: 'expired' } : verdict;
}
