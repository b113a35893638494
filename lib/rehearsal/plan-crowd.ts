import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { drawArrival } from './draw-arrival';

/** One planned press of the button. */
export type Press = {
  /** Ms after the start; negative: the shopper presses too early. */
  atMs: number;
  userId: string;
  /** The entry token's id: a second press with it is a double click. */
  jti: string;
  address: string;
  quantity: number;
  /** The number of the sale's variant; 0: it has none. */
  variant: number;
  /** True: the shopper knows the gate from the shop. Scripts guess it. */
  knowsGate: boolean;
};

export type PlannedShopper = { userId: string; presses: Press[]; willPay: boolean; isReserved: boolean };

/** How the crowd behaves, as shares of the shoppers. */
const EARLY = 0.05;
const DOUBLE_CLICK = 0.2;
const AS_MANY_AS_ALLOWED = 0.15;
const BEHIND_ONE_ADDRESS = 0.1;
const SCRIPTS = 0.02;
const PAYS = 0.8;
const RESERVED = 0.95;
const EARLY_MS = 800;
const DOUBLE_CLICK_MS = 150;

/**
 * Plans a crowd at the start: how many press when, who presses twice, who comes too early or guesses the gate. Pure;
 * the same `random` gives the same crowd.
 * @param shoppers how many @param random from 0, below 1
 */
export function planCrowd(
  shoppers: number,
  { limitPerUser, variants }: Pick<SaleInfo, 'limitPerUser' | 'variants'>,
  random: () => number,
): PlannedShopper[] {
  return Array.from({ length: shoppers }, (_, at): PlannedShopper => {
    const userId = `user_rehearsal${at}`;
    const chance = (share: number) => random() < share;
    const isScript = chance(SCRIPTS);
    const press: Press = {
      atMs: drawArrival(isScript, random),
      userId,
      jti: `jti_rehearsal${at}`,
      address: chance(BEHIND_ONE_ADDRESS) ? '10.255.255.1' : addressOf(at),
      quantity: chance(AS_MANY_AS_ALLOWED) ? limitPerUser : 1,
      knowsGate: !isScript,
      variant: variants.length && 1 + Math.floor(random() * variants.length),
    };
    const presses = [press];
    if (isScript || chance(EARLY)) presses.unshift({ ...press, atMs: -Math.ceil(random() * EARLY_MS) });
    if (chance(DOUBLE_CLICK)) presses.push({ ...press, atMs: press.atMs + DOUBLE_CLICK_MS });
    return { userId, presses, willPay: chance(PAYS), isReserved: chance(RESERVED) };
  });
}

const addressOf = (at: number) => `10.${(at >> 16) & 127}.${(at >> 8) & 255}.${at & 255}`;
