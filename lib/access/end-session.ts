import 'server-only';
import { endSessions } from '@/lib/account/sessions/end-sessions';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { transaction } from '@/lib/db/transaction';

/**
 * Ends one session of an account: its cookie is good no more, nor within a second are the entry tokens it got. What was bought
 * with them stays. Again changes nothing.
 * @returns false if the account has no such session that stands
 */
export async function endSession(userId: string, sessionId: string): Promise<boolean> {
  const ended = await transaction((tx) => endSessions(tx, userId, { only: [sessionId] }));
  if (ended > 0) await announceEndedSessions();
  return ended > 0;
}
