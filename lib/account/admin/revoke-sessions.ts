import 'server-only';
import { lockUser } from '@/lib/account/lock-user';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { updateUser } from '@/lib/account/update-user';
import { type Actor, demand } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import { transaction } from '@/lib/db/transaction';
import type { UserResult } from './types';

/** Signs an account out everywhere, at once. */
export async function revokeSessions(actor: Actor, userId: string): Promise<UserResult> {
  demand(actor, 'manageUsers');
  const result = await transaction(async (tx): Promise<UserResult> => {
    const locked = await lockUser(tx, userId);
    if (!locked) return { status: 'not_found' };
    const { sessionVersion } = locked;
    const user = await updateUser(tx, userId, { endsSessions: true });
    await recordAction(tx, actor, {
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
