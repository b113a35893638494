import { type ClassValue, clsx } from 'clsx';

/**
 * Joins class names. Of two that contradict each other, the stylesheet's order decides, not theirs: a component gives
 * nothing that its callers may want otherwise. (tailwind-merge, which lets the later one win, is 8 KB on each page.)
 */
export function cn(...values: ClassValue[]): string {
  return clsx(values);
}
