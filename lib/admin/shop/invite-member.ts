import 'server-only';
import { hashShopToken } from '@/lib/access/find-invitation';
import { INVITATION_LIFETIME_MS, newToken } from '@/lib/access/invitation-link';
import { mailShopInvitation } from '@/lib/access/mail-shop-invitation';
import type { CurrentUser } from '@/lib/account/types';
import { recordAction } from '@/lib/audit/record-action';
import type { MemberInvitation } from '@/lib/contract/shapes/team';
import { type Db, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import { newId } from '@/lib/ids/new-id';
import { MAX_MEMBERS } from '@/lib/shop/join-shop';
import { lockShop } from '@/lib/shop/lock-shop';
import type { Actor } from '../actor';
import { mayLead } from './may-lead';
import { MAX_OPEN } from './read-shop';

/** Mails that a shop may send within a day, and to one address. */
const MAX_PER_DAY = 50;
const MAX_PER_ADDRESS = 3;
const DAY_MS = 86_400_000;

type Inviter = Pick<CurrentUser, 'userId' | 'role' | 'locale' | 'name'> & Pick<Actor, 'session'>;
type Refusal = { status: 'not_found' | 'is_member' | 'full' | 'too_many' | 'demo_account' | 'not_sent' };

/**
 * Invites a person into a shop: sends a mail with a link that works once, for 72 hours. An earlier one of this shop for the
 * address stops working. The inviter never sees the link, so whoever has it has read the mail; and the answer is the same
 * whether the address has an account.
 * @returns `not_sent`: the mail server does not take it now; a further call sends another link
 * @throws NotAllowedError as `mayLead`
 */
export async function inviteMember(
  inviter: Inviter,
  shopId: string,
  invitation: MemberInvitation,
): Promise<{ status: 'invited' } | Refusal> {
  // Anybody may know the password of such an account, so mails to strangers are not for it.
  const { isDemo } = await db().user.findUniqueOrThrow({
    where: { id: inviter.userId },
    select: { isDemo: true },
  });
  if (isDemo && env().smtpUrl !== undefined) return { status: 'demo_account' };
  const token = newToken();
  const id = newId('invitation');
  const made = await transaction(async (tx): Promise<{ status: 'made'; shop: string } | Refusal> => {
    const shop = await lockShop(tx, shopId);
    if (!shop || !(await mayLead(tx, inviter, shopId))) return { status: 'not_found' };
    const refusal = await whyNot(tx, shopId, invitation.email);
    if (refusal) return refusal;
    await write(tx, inviter, shopId, { id, token, ...invitation });
    return { status: 'made', shop: shop.name };
  });
  if (made.status !== 'made') return made;
  const { email } = invitation;
  try {
    await mailShopInvitation({ id, email, token, shop: made.shop, by: inviter.name }, inviter.locale);
    return { status: 'invited' };
  } catch (err) {
    log.warn({ invitation: id, err }, 'an invitation into a shop was not sent');
    return { status: 'not_sent' };
  }
}

async function whyNot(tx: Db, shopId: string, email: string): Promise<Refusal | null> {
  const today = { shopId, createdAt: { gt: new Date(Date.now() - DAY_MS) } };
  const open = { shopId, usedAt: null, withdrawnAt: null, expiresAt: { gt: new Date() } };
  const [members, others, sent, sentToThem] = await Promise.all([
    tx.shopMember.findMany({ where: { shopId }, select: { user: { select: { email: true } } } }),
    tx.invitation.count({ where: { ...open, email: { not: email } } }),
    tx.invitation.count({ where: today }),
    tx.invitation.count({ where: { ...today, email } }),
  ]);
  if (members.some(({ user }) => user.email === email)) return { status: 'is_member' };
  if (members.length >= MAX_MEMBERS || others >= MAX_OPEN) return { status: 'full' };
  return sent >= MAX_PER_DAY || sentToThem >= MAX_PER_ADDRESS ? { status: 'too_many' } : null;
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
  const what = { email, shopId, shopRole: role, topics: [...new Set(topics)].sort() };
  const invitedBy = inviter.userId;
  await tx.invitation.create({
    data: { id, role: 'merchant', tokenHash: hashShopToken(token), invitedBy, expiresAt, ...what },
  });
  await recordAction(tx, inviter, {
    action: 'shop.invite',
    subject: { kind: 'shop', id: shopId },
    before: null,
    after: { invitation: id, email, shopRole: role, topics: what.topics, expiresAt: expiresAt.getTime() },
  });
}
