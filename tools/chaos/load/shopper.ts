import { loadUserId } from '@/lib/admin/load/create-load-users';
import { issueEntryToken } from '@/tools/harness/issue-entry-token';
import type { Random } from '@/tools/harness/random';
import type { Web } from '@/tools/harness/stack/start-stack';
import type { ChaosSale } from '../sale';
import { buy, purchase } from './buy';
import { enter } from './enter';
import { enterDraw } from './enter-draw';
import { followOrder } from './follow-order';
import type { Ledger } from './ledger';
import type { ShopperPlan } from './plan-shopper';
import type { Provider } from './provider';
import { takeTurn } from './take-turn';
import { waitOnList } from './wait-on-list';

export type Shop = {
  sale: ChaosSale;
  webs: readonly Web[];
  ledger: Ledger;
  provider: Provider;
  /** After this (epoch ms) no client tries anything again. */
  closesAt: number;
};

export type Visit = Shop & { plan: ShopperPlan; random: Random; userId: string };

/**
 * Plays one shopper's visit, from the first click to the end of the last order, as the kind of sale asks for. Never throws
 * because of the shop.
 * @param shops one; of a campaign all its sales, which the shopper visits in any order
 */
export async function visit(shops: readonly Shop[], plan: ShopperPlan, random: Random): Promise<void> {
  const visits = shops.map((shop) => ({ ...shop, plan, random, userId: loadUserId(plan.number) }));
  const [first] = visits;
  if (!first) return;
  switch (first.sale.kind) {
    case 'waiting-room':
      return buyInTurn(first);
    case 'draw':
      return takePart(first);
    case 'campaign': {
      const inOrder = random.chance(0.5) ? visits : [...visits].reverse();
      // Some press in two windows at once.
      if (plan.isDoubleClick) await Promise.all(inOrder.map((shopper) => buyAfterEntry(shopper)));
      else for (const shopper of inOrder) await buyAfterEntry(shopper);
      return;
    }
    default:
      return buyAtOnce(first);
  }
}

/** Presses the button, without a line; waits for a unit that comes back where there is a waitlist. */
async function buyAtOnce(shopper: Visit): Promise<void> {
  const { plan, sale } = shopper;
  for (let bought = 0; bought < (plan.buysTwice ? 2 : 1); bought += 1) {
    const token = issueEntryToken(shopper.userId, sale.saleId);
    let { orderNo, code } = await buy(shopper, token);
    let quantity = plan.quantity;
    if (orderNo === null && code === 'SOLD_OUT' && sale.kind === 'waitlist') {
      // A place is for one unit, and so is what the token buys from then on.
      quantity = 1;
      const single = { ...shopper, plan: { ...plan, quantity } };
      const waited = await waitOnList(single, token);
      ({ orderNo } = waited === 'for_sale' ? await buy(single, token) : { orderNo: waited });
    }
    if (orderNo === null) return;
    await followOrder(shopper, token, orderNo);
    if (plan.asksAgain) await purchase({ ...shopper, plan: { ...plan, quantity } }, token);
  }
}

async function buyInTurn(shopper: Visit): Promise<void> {
  const single = { ...shopper, plan: { ...shopper.plan, quantity: 1 } };
  const token = await takeTurn(single);
  if (!token) return;
  const { orderNo } = await buy(single, token);
  if (orderNo === null) return;
  await followOrder(single, token, orderNo);
  if (single.plan.asksAgain) await purchase(single, token);
}

async function takePart(shopper: Visit): Promise<void> {
  const orderNo = await enterDraw(shopper);
  // The order is the account's; any token of the sale may ask for it.
  if (orderNo !== null)
    await followOrder(shopper, issueEntryToken(shopper.userId, shopper.sale.saleId), orderNo);
}

async function buyAfterEntry(shopper: Visit): Promise<void> {
  const { plan } = shopper;
  for (let bought = 0; bought < (plan.buysTwice ? 2 : 1); bought += 1) {
    let token = await enter(shopper);
    if (!token) return;
    let outcome = await buy(shopper, token);
    if (outcome.code === 'LIMIT_REACHED') {
      // Another session may have taken what this entry had: the page enters once more.
      token = await enter(shopper);
      if (!token) return;
      outcome = await buy(shopper, token);
    }
    if (outcome.orderNo === null) return;
    await followOrder(shopper, token, outcome.orderNo);
  }
}
