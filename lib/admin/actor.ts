import 'server-only';
import type { CurrentUser } from '@/lib/account/types';
import { may, type Permission } from '@/lib/contract/words/roles';
import { allows, type ShopAct } from '@/lib/contract/words/shop';
import { type Db, db } from '@/lib/db/client';
import { NotAllowedError } from '@/lib/errors/not-allowed-error';
import { chosenShop } from '@/lib/shop/chosen-shop';
import { findStanding, holdStanding } from '@/lib/shop/find-standing';

/**
 * Who acts in the admin area. `shopId`: the shop they have chosen, which is no proof that they are in it. `session`: what
 * they change counts only if it has not ended meanwhile.
 */
export type Actor = Pick<CurrentUser, 'userId' | 'role'> & Partial<Pick<CurrentUser, 'shopId' | 'session'>>;

/** Returns the actor for the audit log where what they do ends their own session, or can't be undone any more. */
export const withoutSession = ({ userId, role }: Actor) => ({ userId, role });

/** Tells whether the actor sees all shops' data; merchants see only those they are members of. */
export const seesAll = (actor: Actor): boolean => actor.role !== 'shopper' && actor.role !== 'merchant';

/**
 * Tells whether `actor` may look at what belongs to a shop, as of now.
 * @param shopId the `merchantId` of what is looked at
 */
export async function maySee(actor: Actor, shopId: string): Promise<boolean> {
  if (seesAll(actor)) return true;
  return actor.role === 'merchant' && (await findStanding(shopId, actor.userId)) !== null;
}

/**
 * Tells whether `actor` may do `act` to what belongs to a shop. Call it in the transaction of the change: it then holds
 * until the end of that, and whoever takes the right away waits.
 * @param shopId the `merchantId` of what is changed
 * @returns false: to the actor there is no such thing
 * @throws NotAllowedError if the actor is a member whose role or topics don't allow it
 */
export async function mayManage(actor: Actor, shopId: string, act: ShopAct, tx: Db = db()): Promise<boolean> {
  if (may(actor.role, 'operator')) return true;
  if (actor.role !== 'merchant') return false;
  const standing = await holdStanding(tx, shopId, actor.userId);
  if (standing && !allows(standing, act)) throw new NotAllowedError(act);
  return standing !== null;
}

/** Tells the same without a refusal: what a page shows goes by it. */
export async function isAllowedTo(actor: Actor, shopId: string, act: ShopAct): Promise<boolean> {
  if (may(actor.role, 'operator')) return true;
  const standing = actor.role === 'merchant' ? await findStanding(shopId, actor.userId) : null;
  return standing !== null && allows(standing, act);
}

/**
 * Tells whether `actor` may work on what has got stuck of a sale. What belongs to no sale is for operators.
 * @throws NotAllowedError as `mayManage`
 */
export async function mayWorkOn(actor: Actor, saleId: string | null): Promise<boolean> {
  if (may(actor.role, 'operator')) return true;
  const sale =
    saleId === null
      ? null
      : await db().sale.findUnique({ where: { id: saleId }, select: { merchantId: true } });
  return sale !== null && mayManage(actor, sale.merchantId, 'work');
}

/** Nothing belongs to a shop with this id. */
const NO_SHOP = '';

/** Returns the id of the shop whose things an actor's lists show; null: those of all shops. */
export async function shownShop(actor: Actor): Promise<string | null> {
  if (seesAll(actor)) return null;
  if (actor.role !== 'merchant') return NO_SHOP;
  return (await chosenShop(actor.userId, actor.shopId)) ?? NO_SHOP;
}

/**
 * Returns the id of the shop to which a new product or campaign of the actor belongs: the one they have chosen; for who
 * is in none, the own one, which opens with it.
 * @param shown the one that their page showed; null is returned if it is another: two tabs share what is chosen
 * @throws NotAllowedError if their role or topics in that shop don't allow it, or they are in no shop and have left their own
 */
export async function shopForNew(actor: Actor, shown: string | undefined, tx: Db): Promise<string | null> {
  const shopId = await chosenShop(actor.userId, actor.shopId, tx);
  if (shown !== undefined && shown !== (shopId ?? actor.userId)) return null;
  if (shopId !== null) {
    // Not a member any more: it was taken away a moment ago.
    if (!(await mayManage(actor, shopId, 'settings', tx))) throw new NotAllowedError('settings');
    return shopId;
  }
  if ((await tx.shop.count({ where: { id: actor.userId } })) > 0) throw new NotAllowedError('settings');
  return actor.userId;
}

/**
 * Refuses what goes over all that is shown of a shop, unless the actor may do it there.
 * @throws NotAllowedError
 */
export async function demandInShop(actor: Actor, act: ShopAct): Promise<void> {
  const shopId = await shownShop(actor);
  if (shopId !== null && shopId !== NO_SHOP) await mayManage(actor, shopId, act);
}

/**
 * Throws if the actor lacks a permission. For functions whose endpoints have checked before, so nobody expects a
 * refusal here.
 * @throws Error if `actor` may not.
 */
export function demand(actor: Actor, permission: Permission): void {
  if (!may(actor.role, permission)) throw new Error(`a ${actor.role} may not (${permission})`);
}
