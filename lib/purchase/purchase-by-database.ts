import 'server-only';
import type { Db } from '@/lib/db/client';
import { isReferenceMissing } from '@/lib/db/sql-state';
import { transaction } from '@/lib/db/transaction';
import { takeTurn } from '@/lib/lock/take-turn';
import { insertOrders } from '@/lib/order/records/insert-orders';
import { lockBuyers } from '@/lib/order/records/lock-buyers';
import { acceptedOf } from '@/lib/outbox/accepted-order';
import { putMessage } from '@/lib/outbox/put-message';
import { takers } from '@/lib/payment/providers/providers';
import { takeUnits } from '@/lib/sale/records/take-units';
import { applyLimits } from '@/lib/stock/apply-limits';
import { decidePurchase } from '@/lib/stock/decide-purchase';
import type { Purchase, PurchaseResult } from '@/lib/stock/purchase-stock';
import { limitMs } from '@/lib/time-limits';
import { readDatabaseSituation } from './read-database-situation';

/**
 * Bounds the purchases at work, so that most of a process's 20 connections stay free for everything else, even while
 * the crowd waits here.
 */
const turns = () => ({ atOnce: 8, maxWaiting: 400, maxWaitMs: limitMs('databaseTurn') });
/**
 * One user's requests follow one another anyway. If they waited for each other in Postgres, they would only hold
 * connections.
 */
const turnsOfUser = () => ({ atOnce: 1, maxWaiting: 20, maxWaitMs: limitMs('databaseTurn') });
/** Bounds the attempts. A failed one means that another purchase went through meanwhile, or that units came back. */
const MAX_ATTEMPTS = 5;

/** Rolls back an attempt that a concurrent purchase has overtaken. `write` catches it. */
class Overtaken extends Error {}

/**
 * Decides a purchase of the database strategy in one transaction of Postgres, by its clock, without Redis (decision
 * 014). Refusals cost one read. A user's purchases follow one another under an advisory lock. The sale's row is
 * deducted last, to lock it for one round trip and the commit. In each process 8 are at work; 400 may wait.
 *
 * @returns `busy` for purchases that get no turn, and after 5 attempts that were each overtaken.
 * @throws connection errors. Then the outcome is open: asking again with the same `jti` tells it.
 */
export async function purchaseByDatabase(purchase: Purchase): Promise<PurchaseResult> {
  const user = `purchase-by-database:${purchase.saleId}:${purchase.userId}`;
  const turn = await takeTurn(user, turnsOfUser(), () =>
    takeTurn('purchase-by-database', turns(), () => tryToBuy(purchase)),
  );
  return turn.status === 'done' && turn.value.status === 'done' ? turn.value.value : { status: 'busy' };
}

async function tryToBuy(purchase: Purchase): Promise<PurchaseResult> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const glance = await look(purchase);
    const limited = attempt === 1 ? await applyLimits(glance.status, purchase) : null;
    if (limited) return limited;
    if (glance.status !== 'fits') return glance;
    const result = await write(purchase);
    if (result) return result;
  }
  return { status: 'busy' };
}

type Look = { status: 'fits'; epoch: number; serverTime: number } | PurchaseResult;

async function look(purchase: Purchase, tx?: Db): Promise<Look> {
  const situation = await readDatabaseSituation(purchase.saleId, purchase.userId, tx);
  if (!situation) return { status: 'unknown_sale' };
  const decision = decidePurchase(situation, purchase);
  const { epoch, serverTime } = situation;
  return decision.status === 'fits' ? { status: 'fits', epoch, serverTime } : decision;
}

/** Makes one attempt to buy. @returns null if it was overtaken; nothing has changed then */
async function write(purchase: Purchase): Promise<PurchaseResult | null> {
  const { saleId, gate, userId, orderNo, quantity } = purchase;
  try {
    return await transaction(async (tx): Promise<PurchaseResult> => {
      await lockBuyers(tx, saleId, [userId]);
      const found = await look(purchase, tx);
      if (found.status !== 'fits') return found;
      const order = acceptedOf({ ...purchase, epoch: found.epoch }, found.serverTime);
      const { count, deadlineAt } = await insertOrders(tx, saleId, [order], takers());
      if (count === 0) throw new Overtaken();
      await putMessage(tx, 'orders/placed', { saleId, orderNo, deadlineAt: String(deadlineAt) });
      const acceptedAt = await takeUnits(tx, { saleId, gate, units: quantity });
      if (acceptedAt === null) throw new Overtaken();
      return { status: 'accepted', orderNo, acceptedAt };
    }, limitMs('databasePurchase'));
  } catch (error) {
    if (error instanceof Overtaken) return null;
    // A backup from before this account was registered has been restored: its token is still good.
    if (isReferenceMissing(error)) return { status: 'no_account' };
    throw error;
  }
}
