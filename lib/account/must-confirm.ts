import 'server-only';
import { env } from '@/lib/env';
import type { CurrentUser } from './types';

/** Says whether a session's owner showed who they are too long ago to do anything dangerous. */
export function mustConfirm({ session }: Pick<CurrentUser, 'session'>, nowMs = Date.now()): boolean {
  const { confirmAgainMs } = env();
  return confirmAgainMs > 0 && nowMs - session.confirmedAt > confirmAgainMs;
}
