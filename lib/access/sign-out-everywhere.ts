import 'server-only';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import type { CurrentUser } from '@/lib/account/types';
import { updateUser } from '@/lib/account/update-user';
import { recordAction } from '@/lib/audit/record-action';
import { transaction } from '@/lib/db/transaction';

/** Ends every session of the user's own account, also the one that asks, and their entry tokens. */
export async function signOutEverywhere({
  userId,
  role,
}: Pick<CurrentUser, 'userId' | 'role'>): Promise<void> {
  await transaction(async (tx) => {
    await updateUser(tx, userId, { endsSessions: true });
    await recordAction(
      tx,
      { userId, role },
      {
        action: 'user.sign_out_everywhere',
        subject: { kind: 'user', id: userId },
        before: null,
        after: null,
      },
    );
  });
  await announceEndedSessions();
}
