import { checkAccepted } from './check-accepted';
import { checkAnswers } from './check-answers';
import { checkMoney } from './check-money';
import { checkStock } from './check-stock';
import type { Case, Violation } from './types';

/** Compares what the clients were answered with what the stores hold when all is over. Pure; empty = every promise kept. */
export const compareBooks = (round: Case): Violation[] => [
  ...checkAccepted(round),
  ...checkAnswers(round),
  ...checkMoney(round),
  ...checkStock(round),
];
