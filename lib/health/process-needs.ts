import { processWide } from '@/lib/process-wide';

type Need = () => boolean;

const needs = processWide('needs', () => new Map<string, Need>());

/**
 * Declares something, apart from the stores, that this process can't serve without. Until it is there the process is
 * not ready.
 * @param name as `/readyz` shows it. @param isMet asked at each look; from memory.
 */
export function declareNeed(name: string, isMet: () => boolean): void {
  needs.set(name, isMet);
}

/** Lists everything this process needs, and whether it is there. */
export const processNeeds = (): { name: string; isMet: boolean }[] =>
  [...needs].map(([name, isMet]) => ({ name, isMet: isMet() }));
