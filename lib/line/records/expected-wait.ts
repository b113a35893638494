import type { Pace } from './pace';

/** Above this, a time says nothing. */
const MOST_MINUTES = 600;

/**
 * Says how many minutes it takes until so many people and oneself have been admitted, at the pace measured.
 * @returns whole minutes, at least 1; null where nobody can say
 */
export function expectedWait(ahead: number, pace: Pace | null): { from: number; to: number } | null {
  if (!pace || pace.most <= 0) return null;
  const people = ahead + 1;
  const from = Math.max(1, Math.floor(people / pace.most));
  const to = pace.least > 0 ? Math.max(from, Math.ceil(people / pace.least)) : Number.POSITIVE_INFINITY;
  return to > MOST_MINUTES ? null : { from, to };
}
