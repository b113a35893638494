import { processWide } from '@/lib/process-wide';

type Need = () => boolean;

const needs = processWide('needs', () => new Map<string, Need>());

/**
 * Names something that this process, apart from the stores, can't serve without; until it is there the process is not ready.
 * @param name as `/readyz` tells it. @param isMet asked at each look; from memory.
 */
export function declareNeed(name: string, isMet: () => boolean): void {
  needs.set(name, isMet);
}

/** Everything this process needs, and whether it is there. */
export const processNeeds = (): { name: string; isMet: boolean }[] =>
  [...needs].map(([name, isMet]) => ({ name, isMet: isMet() }));
