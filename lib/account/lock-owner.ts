import 'server-only';
import type { Db } from '@/lib/db/client';
import type { User } from '@/prisma/generated/client';
import { lockAccount } from './lock-account';
import type { CurrentUser } from './types';

/**
 * Locks the account of a session until the transaction ends, and returns it as it is then; null if the session has ended
 * in the meantime.
 */
export async function lockOwner(
  tx: Db,
  { userId, session }: Pick<CurrentUser, 'userId' | 'session'>,
): Promise<User | null> {
  const user = await lockAccount(tx, userId);
  if (!user) return null;
  const { sessionVersion } = user;
  const live = await tx.session.count({ where: { id: session.id, userId, sessionVersion, endedAt: null } });
  return live === 1 ? user : null;
}
