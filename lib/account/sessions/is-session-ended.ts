import 'server-only';
import { knownEndedSessions } from './ended-sessions';

/**
 * Tells whether a session has ended by sign-out, revocation, ban or a new password. Reads only this process's memory,
 * for the hot path. Always false in a process that does not `watchEndedSessions`.
 * @param sessionId of the entry token; empty: the token comes from no session, so none has ended
 */
export function isSessionEnded(sessionId: string): boolean {
  return sessionId !== '' && knownEndedSessions()?.has(sessionId) === true;
}
