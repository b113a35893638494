import 'server-only';
import { DEMO_ACCOUNTS } from '@/lib/account/demo-accounts';
import { db } from '@/lib/db/client';
import { type InviteResult, inviteStaff } from './invite-staff';

/**
 * Invites somebody as admin, but only while nobody is one: for a setting that may stay set for ever. An account of the demo,
 * whose password is published, counts for nobody.
 * @param email in any case; undefined: nobody is to be invited
 */
export async function inviteFirstAdmin(
  email: string | undefined,
): Promise<InviteResult | { status: 'has_admin' | 'nobody_named' }> {
  const demoEmails = DEMO_ACCOUNTS.map((account) => account.email);
  const admins = await db().user.count({
    where: { role: 'admin', bannedAt: null, email: { notIn: demoEmails } },
  });
  if (admins > 0) return { status: 'has_admin' };
  if (email === undefined) return { status: 'nobody_named' };
  return inviteStaff({ email, role: 'admin', invitedBy: 'command' });
}
