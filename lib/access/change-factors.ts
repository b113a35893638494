import 'server-only';
import { deleteFactors, hasFactor } from '@/lib/account/factors/delete-factors';
import { endOtherSessions } from '@/lib/account/sessions/end-other-sessions';
import type { CurrentUser } from '@/lib/account/types';
import { recordAction } from '@/lib/audit/record-action';
import type { Db } from '@/lib/db/client';
import type { User } from '@/prisma/generated/client';

type FactorAction = 'user.add_factor' | 'user.remove_factor' | 'user.renew_recovery_codes';

/** Records in the audit log what an account's owner did to the second factor. */
export const recordFactor = (
  tx: Db,
  { userId, role }: CurrentUser,
  action: FactorAction,
  facts: Record<string, string> | null = null,
) =>
  recordAction(
    tx,
    { userId, role },
    { action, subject: { kind: 'user', id: userId }, before: null, after: facts },
  );

/**
 * Locks an account whose factors are about to change: changes take turns. Whoever needs the rows of factors too locks the
 * account first.
 * @returns the account; null if it is banned or gone
 */
export async function lockOwner(tx: Db, { userId }: Pick<CurrentUser, 'userId'>): Promise<User | null> {
  await tx.$executeRaw`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
  return tx.user.findUnique({ where: { id: userId, bannedAt: null } });
}

/**
 * Notes in a locked account whether it has a second factor, and ends all its sessions but the one that asks, also those
 * that begin at this moment. After the commit the caller must call `announceEndedSessions`.
 * @param secondFactorAt since when it has one; null: it has none
 * @throws SessionEnded if the session has ended in the meantime
 */
export async function markFactor(tx: Db, user: CurrentUser, secondFactorAt: Date | null): Promise<void> {
  const where = { sessions: { some: { id: user.session.id, endedAt: null } } };
  if (!(await endOtherSessions(tx, user, { where, data: { secondFactorAt } }))) throw new SessionEnded();
}

class SessionEnded extends Error {}

/** Returns what a transaction returns, or that its session had ended: then nothing has changed. */
export async function unlessEnded<T>(work: Promise<T>): Promise<T | { status: 'signed_out' }> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof SessionEnded) return { status: 'signed_out' };
    throw error;
  }
}

/**
 * Notes in a locked account that a factor was removed from it: without any other, its recovery codes go too. Ends sessions as
 * `markFactor` does.
 */
export async function markRemoved(
  tx: Db,
  user: CurrentUser,
  owner: User,
): Promise<{ status: 'removed'; isLast: boolean }> {
  const isLast = !(await hasFactor(tx, user.userId));
  if (isLast) await deleteFactors(tx, user.userId);
  await markFactor(tx, user, isLast ? null : owner.secondFactorAt);
  return { status: 'removed', isLast };
}
