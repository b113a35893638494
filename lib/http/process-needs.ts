type Need = () => boolean;

// The web process may hold this module twice (fast path and Next's bundle); its needs belong to the process.
const holder = globalThis as typeof globalThis & { seckillNeeds?: Map<string, Need> };

/**
 * Declares something, apart from the stores, that this process can't serve without. Until it is there the process is
 * not ready.
 * @param name as `/readyz` shows it. @param isMet asked at each look; from memory.
 */
export function declareNeed(name: string, isMet: () => boolean): void {
  holder.seckillNeeds ??= new Map();
  holder.seckillNeeds.set(name, isMet);
}

/** Lists everything this process needs, and whether it is there. */
export const processNeeds = (): { name: string; isMet: boolean }[] =>
  [...(holder.seckillNeeds ?? [])].map(([name, isMet]) => ({ name, isMet: isMet() }));
