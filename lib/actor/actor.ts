import 'server-only';
import type { CurrentUser } from '@/lib/account/types';
import type { AuditActor } from '@/lib/audit/record-action';
import { may, type Permission } from '@/lib/contract/words/roles';
import { allows, type ShopAct, type ShopRole, type ShopTopic } from '@/lib/contract/words/shop';
import { type Db, db } from '@/lib/db/client';
import { NotAllowedError } from '@/lib/errors/not-allowed-error';

/** The person who acts in the admin area; with a `session`, a change counts only if that still lasts at its end. */
export type Actor = Pick<CurrentUser, 'userId' | 'role'> & Pick<AuditActor, 'session'>;

/** Returns the actor for the audit log where the action ends their own session, or can't be undone any more. */
export const withoutSession = ({ userId, role }: Actor): Actor => ({ userId, role });

type MemberRow = { role: string; topics: string[] };

/** Turns a member's row into a standing; the database's checks guard the words. */
export const toStanding = ({ role, topics }: MemberRow) => ({
  role: role as ShopRole,
  topics: topics as ShopTopic[],
});

/** Tells whether the actor sees all shops' data; merchants see only that of shops they are members of. */
export const seesAll = (actor: Actor): boolean => actor.role !== 'shopper' && actor.role !== 'merchant';

/** Tells whether the actor may do something in every shop. Only admins say who works in the admin area. */
function isOverAll(actor: Actor, act: ShopAct): boolean {
  if (act === 'see' || act === 'export') return seesAll(actor);
  return may(actor.role, act === 'members' ? 'manageUsers' : 'operator');
}

/**
 * Returns the ids of the shops in which the actor may do something, as of now, the one joined first before the others;
 * null: all there are.
 */
export async function shopsOf(actor: Actor, act: ShopAct = 'see', from: Db = db()): Promise<string[] | null> {
  if (isOverAll(actor, act)) return null;
  if (actor.role !== 'merchant') return [];
  const rows = await from.shopMember.findMany({
    where: { userId: actor.userId },
    orderBy: [{ createdAt: 'asc' }, { shopId: 'asc' }],
  });
  return rows.filter((row) => allows(toStanding(row), act)).map(({ shopId }) => shopId);
}

/**
 * Tells whether the actor may look at what belongs to a shop, as of now.
 * @param shopId the `merchantId` of what is looked at
 */
export async function maySee(actor: Actor, shopId: string): Promise<boolean> {
  const shops = await shopsOf(actor);
  return shops === null || shops.includes(shopId);
}

/**
 * Tells whether the actor may do something to what belongs to a shop. Call it in the transaction of the change: it holds
 * until that ends, because who takes the right away waits for it.
 * @param shopId the `merchantId` of what is changed
 * @returns false: for the actor there is no such thing
 * @throws NotAllowedError if the actor is a member whose role or topics don't allow it
 */
export async function mayManage(actor: Actor, shopId: string, act: ShopAct, tx: Db = db()): Promise<boolean> {
  if (isOverAll(actor, act)) return true;
  if (actor.role !== 'merchant') return false;
  const [row] = await tx.$queryRaw<MemberRow[]>`
    SELECT role, topics FROM shop_members WHERE shop_id = ${shopId} AND user_id = ${actor.userId} FOR SHARE`;
  if (row && !allows(toStanding(row), act)) throw new NotAllowedError('FORBIDDEN', act);
  return row !== undefined;
}

/**
 * Tells the same of retrying, comparing or acknowledging what got stuck. What belongs to no sale is for operators.
 * @throws NotAllowedError as `mayManage`
 */
export async function mayWorkOn(actor: Actor, saleId: string | null, tx: Db = db()): Promise<boolean> {
  if (may(actor.role, 'operator')) return true;
  const sale =
    saleId === null
      ? null
      : await tx.sale.findUnique({ where: { id: saleId }, select: { merchantId: true } });
  return sale !== null && mayManage(actor, sale.merchantId, 'work', tx);
}

/**
 * Refuses what goes over all shops of the actor, unless they may do it in one of them at least.
 * @throws NotAllowedError
 */
export async function demandAnywhere(actor: Actor, act: ShopAct): Promise<void> {
  if ((await shopsOf(actor, act))?.length === 0) throw new NotAllowedError('FORBIDDEN', act);
}

/**
 * Returns the shop that a new thing of the actor belongs to.
 * @param shopId as the actor says; left out: the shop they joined first, and the own one for who sees all
 * @returns null: for the actor there is no such shop
 * @throws NotAllowedError if they may change settings in none
 */
export async function shopForNew(actor: Actor, shopId: string | undefined, tx: Db): Promise<string | null> {
  const shops = await shopsOf(actor, 'settings', tx);
  if (shopId === undefined && shops === null) return actor.userId;
  const chosen = shopId ?? shops?.[0];
  if (chosen === undefined) throw new NotAllowedError('FORBIDDEN', 'settings');
  const exists = (await tx.shop.count({ where: { id: chosen } })) > 0;
  return exists && (await mayManage(actor, chosen, 'settings', tx)) ? chosen : null;
}

/**
 * Throws if the actor lacks a permission. For functions whose endpoints have checked before, so nobody expects a
 * refusal here.
 * @throws Error if `actor` may not.
 */
export function demand(actor: Actor, permission: Permission): void {
  if (!may(actor.role, permission)) throw new Error(`a ${actor.role} may not (${permission})`);
}
