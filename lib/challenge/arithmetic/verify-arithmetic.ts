import { latinDigits } from '@/lib/human-text';
import type { ArithmeticSecret } from './create-arithmetic';

/** Tells whether the answer is the result of the sum, in digits of any script. */
export function verifyArithmetic(secret: ArithmeticSecret, answer: string): boolean {
  const typed = latinDigits(answer).trim();
  return /^\d{1,4}$/.test(typed) && Number(typed) === secret.answer;
}
