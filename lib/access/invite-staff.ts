import 'server-only';
import { randomBytes } from 'node:crypto';
import { routing } from '@/i18n/routing';
import { secretLink } from '@/lib/account/secret-link';
import { type AuditActor, recordAction } from '@/lib/audit/record-action';
import { emailAddress } from '@/lib/contract/shapes/account';
import type { StaffRole } from '@/lib/contract/words/roles';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids/new-id';
import { hashToken } from './find-invitation';

export const INVITATION_LIFETIME_MS = 72 * 3600 * 1000;
const TOKEN_BYTES = 32;

export type InviteResult =
  /** `url`: give it only to the invited person. `expiresAt`: epoch ms. */
  | { status: 'invited'; url: string; expiresAt: number }
  | { status: 'email_invalid' }
  /** The account already has this role, or is an admin's; an admin's role is changed in the admin area. */
  | { status: 'already_staff'; role: StaffRole }
  | { status: 'banned' }
  /** Outside the demo, demo accounts get no access. */
  | { status: 'demo_account' };

/** A person in the admin area, or the operator who runs the command. */
type Inviter = AuditActor | 'command';

/**
 * Invites a person to work in the admin area: makes a link that works once, for 72 hours. An earlier link for the
 * same address stops working.
 * @param input `email` in any case; `role` any but shopper
 */
export async function inviteStaff(input: {
  email: string;
  role: StaffRole;
  invitedBy: Inviter;
}): Promise<InviteResult> {
  const { role, invitedBy } = input;
  const { data: email } = emailAddress.safeParse(input.email);
  if (email === undefined) return { status: 'email_invalid' };
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = new Date(Date.now() + INVITATION_LIFETIME_MS);
  const actor = invitedBy === 'command' ? { userId: 'command', role: 'system' } : invitedBy;
  return transaction(async (tx) => {
    // Makes two callers who invite one address at once take turns.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`invite ${email}`}, 0))`;
    const refusal = await whyNot(tx, email, role);
    if (refusal) return refusal;
    await tx.invitation.updateMany({
      where: { email, shopId: null, usedAt: null, withdrawnAt: null },
      data: { withdrawnAt: new Date() },
    });
    const id = newId('invitation');
    await tx.invitation.create({
      data: { id, email, role, tokenHash: hashToken(token), invitedBy: actor.userId, expiresAt },
    });
    await recordAction(tx, actor, {
      action: 'invitation.create',
      subject: { kind: 'invitation', id },
      before: null,
      after: { email, role, expiresAt: expiresAt.getTime() },
    });
    const url = secretLink('/invite', token, routing.defaultLocale);
    return { status: 'invited', url, expiresAt: expiresAt.getTime() };
  });
}

async function whyNot(tx: Db, email: string, role: StaffRole): Promise<InviteResult | null> {
  const user = await tx.user.findUnique({
    where: { email },
    select: { role: true, bannedAt: true, isDemo: true },
  });
  if (!user) return null;
  if (user.isDemo && !env().isDemo) return { status: 'demo_account' };
  if (user.bannedAt !== null) return { status: 'banned' };
  const isKept = user.role === role || user.role === 'admin';
  return isKept ? { status: 'already_staff', role: user.role as StaffRole } : null;
}
