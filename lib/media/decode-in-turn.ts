import 'server-only';
import { processWide } from '@/lib/process-wide';

/** Uploads in one process that are decoded or wait for it: each is in memory, 10 MiB at most. */
export const MAX_UPLOADS = 5;
/** Those of one user: others get their turn meanwhile. */
export const MAX_UPLOADS_OF_USER = 2;

const state = () =>
  processWide('uploads', () => ({ last: Promise.resolve() as Promise<unknown>, users: [] as string[] }));

/** Does one work after the other. @returns null if too many wait already, of all or of this user */
export function decodeInTurn<T>(userId: string, work: () => Promise<T>): Promise<T> | null {
  const uploads = state();
  const { users } = uploads;
  const own = users.filter((each) => each === userId).length;
  if (users.length >= MAX_UPLOADS || own >= MAX_UPLOADS_OF_USER) return null;
  users.push(userId);
  const mine = uploads.last.then(work).finally(() => users.splice(users.indexOf(userId), 1));
  uploads.last = mine.catch(() => undefined);
  return mine;
}
