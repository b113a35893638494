import 'server-only';
import { DEMO_ACCOUNTS } from '@/lib/account/demo-accounts';
import { db } from '@/lib/db/client';
import { type InviteResult, inviteStaff } from './invite-staff';

/**
 * Invites a person as admin, but only while there is no admin; so the setting behind it may stay set for ever. Demo
 * accounts, whose password is public, don't count as admins.
 * @param email in any case; undefined: invites nobody
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
