import { checkAccepted } from './check-accepted';
import { checkAnswers } from './check-answers';
import { checkLine } from './check-line';
import { checkMoney } from './check-money';
import { checkQueue } from './check-queue';
import { checkStock } from './check-stock';
import { checkTold } from './check-told';
import { checkWaitlist } from './check-waitlist';
import type { Case, Violation } from './types';

/**
 * Compares the answers that clients got with the contents of the stores at the end. Pure; an empty list means every
 * promise was kept.
 */
export const compareBooks = (round: Case): Violation[] => [
  ...checkAccepted(round),
  ...checkAnswers(round),
  ...checkMoney(round),
  ...checkStock(round),
  ...checkTold(round),
  ...checkWaitlist(round),
  ...checkLine(round),
  ...checkQueue(round),
];
