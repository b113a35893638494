import { drawArrival } from './draw-arrival';
import type { PlannedShopper } from './plan-crowd';

/** Somebody in a line or a draw. Times in ms. */
export type PlannedStander = {
  shopper: PlannedShopper;
  /** After the start; negative: before it. */
  joinsAtMs: number;
  /** What becomes of the turn: `away` never enters, `only_enters` presses nothing. */
  turn: 'buys' | 'only_enters' | 'away';
  /** From being let in to entering: the page does so by itself. */
  entersAfterMs: number;
  /** From entering to the press. */
  pressesAfterMs: number;
  level: number;
  hasBought: boolean;
};

/* How the crowd behaves, as shares of the shoppers. Assumptions: nobody has measured this. */
const LATE = 0.2;
const AWAY = 0.05;
const ONLY_ENTERS = 0.05;
const OF_A_LEVEL = 0.3;
const BOUGHT_BEFORE = 0.2;
const GATHERS_MS = 600_000;
const LATE_MS = 60_000;
const ENTERS_MS = 1_000;
const LEVELS = 4;

/**
 * Plans who joins when, and what they do with their turn. Pure; the same `random` gives the same plan.
 * @param isLateAllowed whether people may join after the start, as in a waiting room. @param random from 0, below 1
 */
export function planLine(
  crowd: readonly PlannedShopper[],
  isLateAllowed: boolean,
  random: () => number,
): PlannedStander[] {
  return crowd.map((shopper) => {
    const isLate = random() < LATE && isLateAllowed;
    const joinsAtMs = isLate ? Math.floor(random() * LATE_MS) : -1 - Math.floor(random() * GATHERS_MS);
    const does = random();
    return {
      shopper,
      joinsAtMs,
      turn: does < AWAY ? 'away' : does < AWAY + ONLY_ENTERS ? 'only_enters' : 'buys',
      entersAfterMs: Math.floor(random() * ENTERS_MS),
      pressesAfterMs: drawArrival(false, random),
      level: random() < OF_A_LEVEL ? 1 + Math.floor(random() * LEVELS) : 0,
      hasBought: random() < BOUGHT_BEFORE,
    };
  });
}
