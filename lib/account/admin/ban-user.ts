import 'server-only';
import { lockUserAndAdmins } from '@/lib/account/lock-user';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { updateUser } from '@/lib/account/update-user';
import { type Actor, demand } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import { blockSubjects } from '@/lib/block/block-subjects';
import { changeBlocks } from '@/lib/block/change-blocks';
import { liftLive } from '@/lib/block/lift-block';
import { type Db, db } from '@/lib/db/client';
import type { UserResult } from './types';

type Refusal = Exclude<UserResult, { status: 'changed' }>;

/** Rolls the transaction back; caught in this file. */
class NotBanned extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.status);
  }
}

/**
 * Bans an account. It is signed out everywhere, can't sign in, and is blocked until it is unbanned, so that the entry
 * tokens it has buy nothing. Its orders stay. Banning again changes nothing.
 * @param reason in the actor's words
 */
export async function banUser(actor: Actor, userId: string, reason: string): Promise<UserResult> {
  demand(actor, 'manageUsers');
  if (userId === actor.userId) return { status: 'own_account' };
  if ((await db().user.count({ where: { id: userId } })) === 0) return { status: 'not_found' };
  let result: UserResult = { status: 'not_found' };
  const block = { kind: 'user' as const, value: userId, reason, by: actor.userId, expiresAt: null };
  try {
    await blockSubjects([block], Date.now(), async (tx) => {
      result = await ban(tx, actor, userId, reason);
      if (result.status !== 'changed') throw new NotBanned(result);
    });
    await announceEndedSessions();
    return result;
  } catch (error) {
    if (error instanceof NotBanned) return error.refusal;
    throw error;
  }
}

async function ban(tx: Db, actor: Actor, userId: string, reason: string): Promise<UserResult> {
  const locked = await lockUserAndAdmins(tx, userId);
  if (!locked) return { status: 'not_found' };
  const { user, isLastAdmin } = locked;
  if (user.bannedAt !== null) return { status: 'changed', user };
  if (isLastAdmin) return { status: 'last_admin' };
  const banned = await updateUser(tx, userId, { bannedAt: new Date(), endsSessions: true });
  await record(tx, actor, 'user.ban', user, banned, reason);
  return { status: 'changed', user: banned };
}

/**
 * Unbans an account and ends its block, no matter who set it. The user has to sign in again. Unbanning again changes
 * nothing.
 */
export function unbanUser(actor: Actor, userId: string): Promise<UserResult> {
  demand(actor, 'manageUsers');
  return changeBlocks(async (tx): Promise<UserResult> => {
    const locked = await lockUserAndAdmins(tx, userId);
    if (!locked) return { status: 'not_found' };
    const { user } = locked;
    if (user.bannedAt === null) return { status: 'changed', user };
    await liftLive(tx, { kind: 'user', value: userId }, actor.userId);
    const allowed = await updateUser(tx, userId, { bannedAt: null, endsSessions: false });
    await record(tx, actor, 'user.unban', user, allowed);
    return { status: 'changed', user: allowed };
  });
}

type Banned = { userId: string; bannedAt: number | null };

const record = (tx: Db, actor: Actor, action: string, before: Banned, after: Banned, reason?: string) =>
  recordAction(tx, actor, {
    action,
    subject: { kind: 'user', id: before.userId },
    before: { bannedAt: before.bannedAt },
    after: { bannedAt: after.bannedAt },
    reason,
  });
