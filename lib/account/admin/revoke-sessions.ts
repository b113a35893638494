import 'server-only';
import { lockUserAndAdmins } from '@/lib/account/lock-user';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { updateUser } from '@/lib/account/update-user';
import { type Actor, demand, withoutSession } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import { isStaff, may } from '@/lib/contract/words/roles';
import { transaction } from '@/lib/db/transaction';
import type { UserResult } from './types';

/** Signs an account out everywhere, at once. Support can do so for shoppers alone, admins for everybody. */
export async function revokeSessions(actor: Actor, userId: string): Promise<UserResult> {
  demand(actor, 'helpPeople');
  const result = await transaction(async (tx): Promise<UserResult> => {
    const locked = await lockUserAndAdmins(tx, userId);
    if (!locked) return { status: 'not_found' };
    if (isStaff(locked.user.role) && !may(actor.role, 'manageUsers')) return { status: 'staff_account' };
    const { sessionVersion } = locked;
    const user = await updateUser(tx, userId, { endsSessions: true });
    await recordAction(tx, userId === actor.userId ? withoutSession(actor) : actor, {
      action: 'user.revoke_sessions',
      subject: { kind: 'user', id: userId },
      before: { sessionVersion },
      after: { sessionVersion: sessionVersion + 1 },
    });
    return { status: 'changed', user };
  });
  await announceEndedSessions();
  return result;
}
