import type { SoundSecret } from './create-sound';

/**
 * Tells whether these are the numbers of beeps, one digit for each group: `325`, `3 2 5` or `3, 2, 5`; full-width
 * digits count.
 */
export function verifySound({ counts }: SoundSecret, answer: string): boolean {
  const typed = answer.normalize('NFKC').trim();
  return /^\d(?:[\s,，、-]{0,3}\d)*$/.test(typed) && typed.replace(/\D/g, '') === counts.join('');
}
