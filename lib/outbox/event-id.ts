import { createHash } from 'node:crypto';

/**
 * Returns the same id for the same entries, whichever relay sends them and however often: the executor then runs them
 * once.
 */
export function eventId(topic: string, entryIds: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([topic, ...entryIds]));
  return `${topic}:${hash.digest('base64url')}`;
}
