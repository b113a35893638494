import { AREAS } from '@/lib/contract/areas';
import type { Area } from '@/lib/contract/operation';
import { refusalsOf } from '@/lib/contract/refusals-of';

const codesOf = (areas: readonly Area[]) =>
  new Set<string>(areas.flatMap(({ operations }) => operations.flatMap(refusalsOf)));

/**
 * Picks the sentences for the errors of some areas of the HTTP interface. Keeps those that no answer brings, such as
 * the one for a lost connection.
 * @param sentences by code
 */
export function pickErrors<Sentences extends Record<string, string>>(
  sentences: Sentences,
  areas: readonly Area[],
): Partial<Sentences> {
  const [all, wanted] = [codesOf(AREAS), codesOf(areas)];
  const kept = Object.entries(sentences).filter(([code]) => wanted.has(code) || !all.has(code));
  return Object.fromEntries(kept) as Partial<Sentences>;
}
