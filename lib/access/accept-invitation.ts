import 'server-only';
import { deleteFactors } from '@/lib/account/factors/delete-factors';
import { isGuessable } from '@/lib/account/guessable-password';
import { hashPassword } from '@/lib/account/hash-password';
import { lockUserAndAdmins } from '@/lib/account/lock-user';
import { comeBackOf } from '@/lib/account/password-queue';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { updateUser } from '@/lib/account/update-user';
import { recordAction } from '@/lib/audit/record-action';
import { type InvitationAcceptance, newPassword } from '@/lib/contract/shapes/account';
import type { Db } from '@/lib/db/client';
import { isDuplicate } from '@/lib/db/sql-state';
import { transaction } from '@/lib/db/transaction';
import { knownAs } from '@/lib/device/known-accounts';
import { newId } from '@/lib/ids/new-id';
import { joinShop } from '@/lib/shop/records/join-shop';
import { settleTry, unlessThrown } from '@/lib/tries/claim-try';
import { type Caller, countedOf } from './caller';
import { checkPassword, hasNoPassword, type PasswordResult } from './check-password';
import { claimRequest } from './claim-request';
import { findInvitation, hashShopToken, hashToken, mayTake, type OpenInvitation } from './find-invitation';

export type AcceptResult =
  | { status: 'accepted'; email: string }
  /** The link was used, has run out, was replaced by a later one, or is not ours. */
  | { status: 'invalid' }
  /** A new account needs a name and a password of eight characters. */
  | { status: 'incomplete'; fields: { path: string; message: string }[] }
  /** The password for a new account is easy to guess; the link stays good. */
  | { status: 'guessable' }
  /** The account has no password; its owner chooses one by "forgot your password?", and comes back. */
  | { status: 'no_password' }
  | Exclude<PasswordResult, { status: 'right' }>;

/** Rolls the transaction back; `acceptInvitation` catches it. */
class NotOpen extends Error {}

/**
 * Returns what an invitation link invites to. A client that tries wrong links has to wait longer and longer.
 * @returns null if it can't be accepted
 */
export async function lookAtInvitation(
  given: string,
  caller: Caller,
): Promise<OpenInvitation | null | { status: 'limited'; waitMs: number }> {
  const claimed = await claimRequest('invitation', countedOf(caller));
  if (claimed.status === 'wait') return { status: 'limited', waitMs: claimed.waitMs };
  const found = await unlessThrown(claimed.claim, findInvitation(given));
  if (found) await settleTry(claimed.claim, 'void');
  return found;
}

/**
 * Accepts an invitation, once. Makes the account; if one exists already and its password is right, gives it the
 * new role and ends its sessions.
 */
export async function acceptInvitation(given: InvitationAcceptance, caller: Caller): Promise<AcceptResult> {
  const found = await lookAtInvitation(given.token, caller);
  if (found === null) return { status: 'invalid' };
  if ('status' in found) return found;
  try {
    const result = await (found.hasAccount ? promote : create)(found, given, caller);
    if (result.status === 'accepted') await announceEndedSessions();
    return result;
  } catch (error) {
    // A duplicate: an account that has left the address may still return to it.
    if (error instanceof NotOpen || isDuplicate(error)) return { status: 'invalid' };
    const comeBack = comeBackOf(error);
    if (!comeBack) throw error;
    return { status: 'busy', comeBack };
  }
}

async function create(
  invitation: OpenInvitation,
  given: InvitationAcceptance,
  caller: Caller,
): Promise<AcceptResult> {
  const { email } = invitation;
  const { name, locale, password } = given;
  const fields = [];
  if (name === undefined) fields.push({ path: 'name', message: 'is needed for a new account' });
  const [problem] = newPassword.safeParse(password).error?.issues ?? [];
  if (problem) fields.push({ path: 'password', message: problem.message });
  if (name === undefined || problem) return { status: 'incomplete', fields };
  if (isGuessable(password, { email, name })) return { status: 'guessable' };
  const passwordHash = await hashPassword(password, { address: countedOf(caller) });
  return transaction(async (tx) => {
    const id = newId('user');
    const made = await tx.user.createMany({
      data: { id, email, name, passwordHash, ...(locale ? { locale } : {}) },
      skipDuplicates: true,
    });
    // Someone registered the address in the meantime. The next try asks for that account's password, which shows
    // whose it is.
    if (made.count !== 1) throw new NotOpen();
    await use(tx, given.token, invitation, { userId: id, before: null });
    return { status: 'accepted', email };
  });
}

async function promote(
  invitation: OpenInvitation,
  given: InvitationAcceptance,
  caller: Caller,
): Promise<AcceptResult> {
  const { email } = invitation;
  if (await hasNoPassword({ email })) return { status: 'no_password' };
  const who = { email, address: countedOf(caller), knownAs: knownAs(caller.headers.get('cookie'), email) };
  const checked = await checkPassword(who, given.password, caller);
  if (checked.status !== 'right') return checked;
  return transaction(async (tx) => {
    const locked = await lockUserAndAdmins(tx, checked.user.id);
    if (!locked || locked.user.bannedAt !== null || !mayTake(locked.user.role, invitation))
      throw new NotOpen();
    const { userId, role, emailVerifiedAt } = locked.user;
    if (role === 'shopper' && emailVerifiedAt === null) await forgetUnproven(tx, userId);
    await use(tx, given.token, invitation, { userId, before: { role } });
    return { status: 'accepted', email };
  });
}

/**
 * Deletes all ways into an unverified account but the password, which was shown now: a stranger may have registered the
 * address and have added them. The new role ends the sessions.
 */
async function forgetUnproven(tx: Db, userId: string): Promise<void> {
  await deleteFactors(tx, userId);
  await tx.identity.deleteMany({ where: { userId } });
  await tx.user.update({ where: { id: userId }, data: { secondFactorAt: null } });
}

/**
 * Marks the link as used, makes the account a member of the shop if it leads into one, and gives it its role: in this
 * order, because a merchant who is a member of no shop opens one. Of many requests with one link at once, one succeeds.
 */
async function use(
  tx: Db,
  token: string,
  { role, shop }: OpenInvitation,
  { userId, before }: { userId: string; before: { role: string } | null },
): Promise<void> {
  if (shop && !(await joinShop(tx, shop, { userId, addedBy: shop.invitedBy }))) throw new NotOpen();
  const [used] = await tx.$queryRaw<{ id: string }[]>`
    UPDATE invitations SET used_at = now(), user_id = ${userId}
    WHERE token_hash = ${shop ? hashShopToken(token) : hashToken(token)}
      AND used_at IS NULL AND withdrawn_at IS NULL AND expires_at > now()
    RETURNING id`;
  if (!used) throw new NotOpen();
  // A merchant who joins another shop stays signed in.
  if (before?.role !== role) await updateUser(tx, userId, { role, endsSessions: before !== null });
  const standing = shop && { shop: shop.shopId, shopRole: shop.role, topics: [...shop.topics] };
  await recordAction(
    tx,
    { userId, role },
    {
      action: 'invitation.accept',
      subject: { kind: 'user', id: userId },
      before,
      after: { role, invitation: used.id, ...standing },
    },
  );
}
