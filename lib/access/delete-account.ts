import 'server-only';
import { eraseUser } from '@/lib/account/erase-user';
import { lockUser } from '@/lib/account/lock-user';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import type { CurrentUser } from '@/lib/account/types';
import { updateUser } from '@/lib/account/update-user';
import { recordAction } from '@/lib/audit/record-action';
import { type Db, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { log } from '@/lib/http/log';
import { leaveOpenLines } from '@/lib/line/leave-open-lines';
import { sayAccountMail } from '@/lib/notify/account-mail';
import { deliverMail } from '@/lib/notify/send-mail';
import { countOpenOrders } from '@/lib/order/count-open-orders';
import { forgetAddresses } from '@/lib/order/forget-addresses';
import { leaveAllShops, whyNotLeave } from '@/lib/shop/leave-all-shops';
import { leaveOpenWaitlists } from '@/lib/waitlist/leave-open-waitlists';
import { type Caller, countedOf } from './caller';
import { checkPassword, type PasswordResult } from './check-password';

/** Why an account can't be deleted yet. */
type Obstacle =
  | { status: 'open_orders'; count: number }
  /** It is the only owner of a shop with sales, products or campaigns. */
  | { status: 'owns_sales' }
  /** Other members of a shop would have no owner. */
  | { status: 'last_owner' }
  | { status: 'last_admin' };

type DeleteResult =
  | { status: 'deleted' }
  | Obstacle
  /** The session ended in the meantime. */
  | { status: 'signed_out' }
  | { status: 'demo_account' }
  | Exclude<PasswordResult, { status: 'right' }>;

/**
 * Deletes an account for a caller who knows its password. It leaves the lines and waitlists it stands in; its sessions end,
 * and their entry tokens; e-mail, name, password, notices and devices go. Orders, points and logs keep its id and nothing
 * else of it. Refused while orders wait for payment. A purchase that was accepted before and is written only afterwards
 * runs out unpaid.
 */
export async function deleteAccount(
  user: CurrentUser,
  currentPassword: string,
  caller: Caller,
): Promise<DeleteResult> {
  const { userId, email, session } = user;
  const { isDemo } = await db().user.findUniqueOrThrow({ where: { id: userId }, select: { isDemo: true } });
  if (isDemo) return { status: 'demo_account' };
  const who = { email, address: countedOf(caller), knownAs: `session ${session.id}` };
  const checked = await checkPassword(who, currentPassword, caller);
  if (checked.status !== 'right') return checked;
  const obstacle = await findObstacle(db(), userId);
  if (obstacle) return obstacle;
  // First the waitlists: no unit shall come to an account that is gone.
  await leaveOpenWaitlists(userId);
  const result = await transaction((tx) => write(tx, user, checked.user.sessionVersion));
  if (result.status !== 'deleted') return result;
  await announceEndedSessions();
  // A place that was taken in another tab meanwhile. If this fails, its unit runs out unpaid.
  await leaveOpenWaitlists(userId).catch((err: unknown) =>
    log.warn({ userId, err }, 'a deleted account may still stand in a waitlist'),
  );
  void tell(user).catch((err: unknown) =>
    log.warn({ userId, err }, 'the mail about a deleted account was not sent'),
  );
  return result;
}

async function write(
  tx: Db,
  { userId, role }: CurrentUser,
  known: number,
): Promise<{ status: 'deleted' | 'signed_out' } | Obstacle> {
  const locked = await lockUser(tx, userId);
  if (!locked || locked.user.bannedAt !== null || locked.sessionVersion !== known)
    return { status: 'signed_out' };
  if (locked.isLastAdmin) return { status: 'last_admin' };
  // Writing an order locks its buyer, too, though more weakly. So an order is written either before this, and is seen
  // here, or after the account is gone.
  await tx.$executeRaw`SELECT 1 FROM users WHERE id = ${userId} FOR UPDATE`;
  const obstacle = await findObstacle(tx, userId);
  if (obstacle) return obstacle;
  await leaveOpenLines(tx, userId);
  await leaveAllShops(tx, userId);
  await updateUser(tx, userId, {
    role: 'shopper',
    level: 0,
    levelUntil: null,
    bannedAt: new Date(),
    endsSessions: true,
  });
  await eraseUser(tx, userId);
  await forgetAddresses(tx, userId);
  await recordAction(
    tx,
    { userId, role },
    { action: 'user.delete', subject: { kind: 'user', id: userId }, before: null, after: null },
  );
  return { status: 'deleted' };
}

async function findObstacle(tx: Db, userId: string): Promise<Obstacle | null> {
  const count = await countOpenOrders(tx, userId);
  if (count > 0) return { status: 'open_orders', count };
  const left = await whyNotLeave(tx, userId);
  return left && { status: left };
}

const tell = ({ userId, email, locale }: CurrentUser): Promise<void> =>
  deliverMail({ key: `deleted-${userId}`, email, ...sayAccountMail('accountDeleted', locale) });
