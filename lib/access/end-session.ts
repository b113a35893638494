import 'server-only';
import { endSessions } from '@/lib/account/sessions/end-sessions';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { transaction } from '@/lib/db/transaction';

/**
 * Ends one session of an account. Its cookie stops working at once, its entry tokens within a second. Purchases made
 * with them stay. Calling it again changes nothing.
 * @returns false if the account has no such open session
 */
export async function endSession(userId: string, sessionId: string): Promise<boolean> {
  const ended = await transaction((tx) => endSessions(tx, userId, { only: [sessionId] }));
  if (ended > 0) await announceEndedSessions();
  return ended > 0;
}
