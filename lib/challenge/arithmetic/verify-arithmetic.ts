import type { ArithmeticSecret } from './create-arithmetic';

/**
 * Tells whether the answer is the result of the sum; full-width digits, as Chinese keyboards type them, count as
 * digits.
 */
export function verifyArithmetic(secret: ArithmeticSecret, answer: string): boolean {
  const typed = answer.normalize('NFKC').trim();
  return /^\d{1,4}$/.test(typed) && Number(typed) === secret.answer;
}
