import type { Random } from '@/tools/harness/random';

/** How a shopper behaves once they have an order. */
type Payment =
  | 'pays'
  | 'pays_late'
  | 'never_pays'
  | 'declines_then_pays'
  /** The provider reports another amount, and has taken nothing. */
  | 'told_wrong_amount'
  /** The provider takes another amount than its page asked for. */
  | 'charged_wrong_amount'
  | 'cancels';

/** The plan of one shopper. It is drawn before anything happens, so it is the same at every run with the seed. */
export type ShopperPlan = {
  number: number;
  /** In ms from the beginning of the load. */
  arrivesAtMs: number;
  quantity: number;
  /** Sends the same purchase twice at the same moment. */
  isDoubleClick: boolean;
  payment: Payment;
  /** How many callbacks share one id, and how many have ids of their own. */
  callbacks: number;
  otherCallbacks: number;
  /** Asks once more with the old token at the end of the round. */
  asksAgain: boolean;
  /** Buys once more with another token, up to the limit. */
  buysTwice: boolean;
};

const PAYMENTS: Record<Payment, number> = {
  pays: 50,
  pays_late: 10,
  never_pays: 20,
  declines_then_pays: 8,
  told_wrong_amount: 4,
  charged_wrong_amount: 4,
  cancels: 6,
};

/**
 * Draws the plan of a shopper.
 * @param number from 1; also the number of the load-test user
 * @param loadMs length of the load
 */
export function planShopper(random: Random, number: number, loadMs: number): ShopperPlan {
  return {
    number,
    arrivesAtMs: random.int(0, loadMs),
    quantity: random.chance(0.2) ? 2 : 1,
    isDoubleClick: random.chance(0.3),
    payment: random.weighted(PAYMENTS),
    callbacks: random.chance(0.3) ? random.int(2, 3) : 1,
    otherCallbacks: random.chance(0.15) ? 1 : 0,
    asksAgain: random.chance(0.2),
    buysTwice: random.chance(0.3),
  };
}
