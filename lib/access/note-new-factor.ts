import 'server-only';
import { changeWayIn } from '@/lib/account/change-way-in';
import { replaceRecoveryCodes } from '@/lib/account/factors/recovery-codes';
import type { CurrentUser } from '@/lib/account/types';
import type { Db } from '@/lib/db/client';
import type { User } from '@/prisma/generated/client';
import { recordFactor } from './record-factor';

/**
 * Notes within a transaction that a session's account has one more second factor. All other sessions end: they began
 * without it. After the commit the caller must call `announceEndedSessions`.
 * @param owner the account, locked
 * @returns recovery codes if it is the first; else none, and the account keeps those it has
 */
export async function noteNewFactor(tx: Db, user: CurrentUser, owner: User): Promise<string[]> {
  const since = owner.secondFactorAt;
  const recoveryCodes = since ? [] : await replaceRecoveryCodes(tx, user.userId);
  await changeWayIn(tx, owner, { secondFactorAt: since ?? new Date() }, user.session.id);
  await recordFactor(tx, user, 'user.add_factor');
  return recoveryCodes;
}
