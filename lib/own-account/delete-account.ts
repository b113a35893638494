import 'server-only';
import type { Caller } from '@/lib/access/caller';
import { checkOwner, type OwnerResult } from '@/lib/access/check-owner';
import { eraseAccount } from '@/lib/account/erase-account';
import { lockUserAndAdmins } from '@/lib/account/lock-user';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import type { CurrentUser } from '@/lib/account/types';
import { updateUser } from '@/lib/account/update-user';
import { recordAction } from '@/lib/audit/record-action';
import type { OwnerProof } from '@/lib/contract/shapes/factor';
import { type Db, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { forgetAddressesOf } from '@/lib/delivery/records/forget-addresses';
import { tellOwner } from '@/lib/notify/tell-owner';
import { leaveOpenPlaces } from './leave-open-places';
import { listLedShops, listLiveSales, listUnpaidOrders } from './list-obstacles';

type Obstacle =
  | { status: 'unpaid_orders' }
  /** Published sales that are not closed would have nobody who answers for them. */
  | { status: 'live_sales' }
  /** The other members of a shop would have no owner. */
  | { status: 'last_owner' };

type Written =
  | { status: 'deleted' }
  | Obstacle
  | { status: 'last_admin' }
  /** The session ended in the meantime, perhaps because the account was deleted. */
  | { status: 'signed_out' };

type DeleteResult =
  | Written
  /** A demo account: its password is public, and nobody may take it from the others. */
  | { status: 'demo_account' }
  | Exclude<OwnerResult, { status: 'right' }>;

/**
 * Deletes an account, by its password and, where it has a second factor, that one too. Its sessions and their entry tokens
 * end, it leaves its places and shops, and e-mail, name, password, notices and devices go. Orders, points and logs keep its
 * id alone. A purchase accepted before and written afterwards runs out unpaid.
 * @throws connection errors; the account may have been deleted then
 */
export async function deleteAccount(
  user: CurrentUser,
  proof: OwnerProof,
  caller: Caller,
): Promise<DeleteResult> {
  const { userId } = user;
  const { isDemo } = await db().user.findUniqueOrThrow({ where: { id: userId }, select: { isDemo: true } });
  if (isDemo) return { status: 'demo_account' };
  // A refused deletion must cost no recovery code.
  const obstacle = await findObstacle(db(), user);
  if (obstacle) return obstacle;
  const checked = await checkOwner(user, proof, caller);
  if (checked.status !== 'right') return checked;
  const result = await transaction((tx) => write(tx, user, checked.user.sessionVersion));
  if (result.status !== 'deleted') return result;
  await announceEndedSessions();
  // Only now: a refused deletion must cost no place. From the commit on, no place of a banned account gets a unit.
  await leaveOpenPlaces(userId);
  void tellOwner('accountDeleted', user);
  return result;
}

async function write(
  tx: Db,
  { userId, role, session }: CurrentUser,
  sessionVersion: number,
): Promise<Written> {
  // Waits for a sale that is just being published. Publishing takes its locks in this order, too.
  await tx.$executeRaw`
    SELECT 1 FROM sales WHERE status = 'draft'
      AND merchant_id IN (SELECT shop_id FROM shop_members WHERE user_id = ${userId} AND role = 'owner')
    ORDER BY id FOR SHARE`;
  const locked = await lockUserAndAdmins(tx, userId);
  await tx.$executeRaw`
    SELECT 1 FROM shops WHERE id IN (SELECT shop_id FROM shop_members WHERE user_id = ${userId})
    ORDER BY id FOR NO KEY UPDATE`;
  const live = await tx.session.count({ where: { id: session.id, userId, sessionVersion, endedAt: null } });
  if (locked?.user.bannedAt !== null || locked.sessionVersion !== sessionVersion || live === 0)
    return { status: 'signed_out' };
  if (locked.isLastAdmin) return { status: 'last_admin' };
  const obstacle = await findObstacle(tx, locked.user);
  if (obstacle) return obstacle;
  await updateUser(tx, userId, { role: 'shopper', level: 0, bannedAt: new Date(), endsSessions: true });
  await eraseAccount(tx, userId);
  await forgetAddressesOf(tx, userId);
  await tx.shopMember.deleteMany({ where: { userId } });
  await recordAction(
    tx,
    { userId, role },
    { action: 'user.delete', subject: { kind: 'user', id: userId }, before: null, after: null },
  );
  return { status: 'deleted' };
}

async function findObstacle(
  from: Db,
  person: Pick<CurrentUser, 'userId' | 'role'>,
): Promise<Obstacle | null> {
  if ((await listUnpaidOrders(from, person.userId, 1)).length > 0) return { status: 'unpaid_orders' };
  if ((await listLiveSales(from, person, 1)).length > 0) return { status: 'live_sales' };
  if ((await listLedShops(from, person)).length > 0) return { status: 'last_owner' };
  return null;
}
