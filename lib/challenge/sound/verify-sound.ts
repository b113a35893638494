import { latinDigits } from '@/lib/human-text';
import type { SoundSecret } from './create-sound';

/**
 * Tells whether these are the numbers of beeps, one digit for each group: `325`, `3 2 5` or `3, 2, 5`; in
 * digits of any script.
 */
export function verifySound({ counts }: SoundSecret, answer: string): boolean {
  const typed = latinDigits(answer).trim();
  return /^\d(?:[\s,，、-]{0,3}\d)*$/.test(typed) && typed.replace(/\D/g, '') === counts.join('');
}
