import 'server-only';
import { knownEndedSessions } from './ended-sessions';

/**
 * Whether a session has ended by sign-out, revocation, ban or a new password, from this process's memory alone: for the
 * hot path. None has in a process that does not `watchEndedSessions`.
 * @param sessionId of the entry token; empty: from none, and none has ended
 */
export function isSessionEnded(sessionId: string): boolean {
  return sessionId !== '' && knownEndedSessions()?.has(sessionId) === true;
}
