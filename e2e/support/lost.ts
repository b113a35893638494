import { expect } from '@playwright/test';
import type { Answer } from './client';

/** Returns how many answers were lost: what was asked then may have been done, and counted, all the same. */
export const lostOf = (answers: readonly Answer[]): number =>
  answers.reduce((sum, { lost }) => sum + lost, 0);

/** Expects that something was made just now: it is there already where the answer was lost that told so. */
export function expectMade({ status, lost, text }: Answer): void {
  expect(lost > 0 ? [200, 201] : [201], text).toContain(status);
}
