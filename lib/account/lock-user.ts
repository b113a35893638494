import 'server-only';
import type { UserView } from '@/lib/contract/shapes/user';
import type { Db } from '@/lib/db/client';
import { countOtherAdmins } from './count-other-admins';
import { viewUser } from './list-users';

/**
 * Locks an account and all admins' accounts, so that two admins who take each other's role away can't both succeed.
 * @returns the account, and whether it is the only account left that can be admin; null if there is none, or its owner
 *   has deleted it.
 */
export async function lockUserAndAdmins(
  tx: Db,
  userId: string,
): Promise<{ user: UserView; sessionVersion: number; isLastAdmin: boolean } | null> {
  await tx.$executeRaw`
    SELECT 1 FROM users WHERE id = ${userId} OR role = 'admin' ORDER BY id FOR NO KEY UPDATE`;
  const row = await tx.user.findUnique({ where: { id: userId }, omit: { passwordHash: true } });
  if (!row || row.deletedAt !== null) return null;
  const isLastAdmin = row.role === 'admin' && (await countOtherAdmins(tx, userId)) === 0;
  return { user: await viewUser(tx, row), sessionVersion: row.sessionVersion, isLastAdmin };
}
