import 'server-only';
import { randomBytes } from 'node:crypto';
import { hashShopToken } from '@/lib/access/find-invitation';
import { INVITATION_LIFETIME_MS } from '@/lib/access/invite-staff';
import type { CurrentUser } from '@/lib/account/types';
import { recordAction } from '@/lib/audit/record-action';
import type { MemberInvitation } from '@/lib/contract/shapes/team';
import { type Db, db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import { newId } from '@/lib/ids/new-id';
import { MAX_MEMBERS } from '@/lib/shop/records/join-shop';
import { changeShop } from './change-shop';
import { mailInvitation } from './mail-invitation';
import { MAX_OPEN } from './read-shop';

/** Mails that a shop may send within a day, and to one address. */
const MAX_PER_DAY = 50;
const MAX_PER_ADDRESS = 3;
const DAY_MS = 86_400_000;
const TOKEN_BYTES = 32;

type Inviter = Pick<CurrentUser, 'userId' | 'role' | 'locale' | 'name'>;
type Refusal = 'is_member' | 'full' | 'too_many';

/**
 * Invites a person into a shop: sends a mail with a link that works once, for 72 hours. An earlier one of this shop for
 * the address stops working. The inviter never sees the link: otherwise they could make accounts with other people's
 * addresses. The answer is the same whether the address has an account.
 * @returns `not_sent`: the mail server does not take it now; a further call sends another link
 * @throws NotAllowedError as `changeShop`
 */
export async function inviteMember(
  inviter: Inviter,
  shopId: string,
  invitation: MemberInvitation,
): Promise<'changed' | 'not_found' | 'demo_account' | 'not_sent' | Refusal> {
  const { isDemo } = await db().user.findUniqueOrThrow({
    where: { id: inviter.userId },
    select: { isDemo: true },
  });
  // Everybody may know the password of such an account, so it sends no mails to strangers.
  if (isDemo && env().smtpUrl !== undefined) return 'demo_account';
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const id = newId('invitation');
  const made = await changeShop(inviter, shopId, async (tx, shop): Promise<Refusal | { name: string }> => {
    const refusal = await whyNot(tx, shopId, invitation.email);
    if (refusal) return refusal;
    await write(tx, inviter, shopId, { id, token, ...invitation });
    return shop;
  });
  if (typeof made === 'string') return made;
  const { email } = invitation;
  try {
    await mailInvitation({ id, email, token, shop: made.name, by: inviter.name }, inviter.locale);
    return 'changed';
  } catch (err) {
    log.warn({ invitation: id, err }, 'an invitation into a shop was not sent');
    return 'not_sent';
  }
}

async function whyNot(tx: Db, shopId: string, email: string): Promise<Refusal | null> {
  const now = Date.now();
  const open = { shopId, usedAt: null, withdrawnAt: null, expiresAt: { gt: new Date(now) } };
  const today = { shopId, createdAt: { gt: new Date(now - DAY_MS) } };
  const isMember = await tx.shopMember.count({ where: { shopId, user: { email } } });
  if (isMember > 0) return 'is_member';
  const members = await tx.shopMember.count({ where: { shopId } });
  const others = await tx.invitation.count({ where: { ...open, email: { not: email } } });
  if (members >= MAX_MEMBERS || others >= MAX_OPEN) return 'full';
  const sent = await tx.invitation.count({ where: today });
  const sentToThem = await tx.invitation.count({ where: { ...today, email } });
  return sent >= MAX_PER_DAY || sentToThem >= MAX_PER_ADDRESS ? 'too_many' : null;
}

async function write(
  tx: Db,
  inviter: Inviter,
  shopId: string,
  { id, token, email, role, topics }: MemberInvitation & { id: string; token: string },
): Promise<void> {
  await tx.invitation.updateMany({
    where: { email, shopId, usedAt: null, withdrawnAt: null },
    data: { withdrawnAt: new Date() },
  });
  const expiresAt = new Date(Date.now() + INVITATION_LIFETIME_MS);
  const standing = { shopRole: role, topics: [...new Set(topics)].sort() };
  const invitedBy = inviter.userId;
  await tx.invitation.create({
    data: {
      id,
      email,
      role: 'merchant',
      tokenHash: hashShopToken(token),
      invitedBy,
      expiresAt,
      shopId,
      ...standing,
    },
  });
  await recordAction(tx, inviter, {
    action: 'shop.invite',
    subject: { kind: 'shop', id: shopId },
    before: null,
    after: { invitation: id, email, ...standing, expiresAt: expiresAt.getTime() },
  });
}
