type Need = () => boolean;

// The web process may hold this module twice (fast path and Next's bundle); what it needs belongs to the process.
const holder = globalThis as typeof globalThis & { seckillNeeds?: Map<string, Need> };

/**
 * Names something that this process, apart from the stores, can't serve without; until it is there the process is not ready.
 * @param name as `/readyz` tells it. @param isMet asked at each look; from memory.
 */
export function declareNeed(name: string, isMet: () => boolean): void {
  holder.seckillNeeds ??= new Map();
  holder.seckillNeeds.set(name, isMet);
}

/** Everything this process needs, and whether it is there. */
export const processNeeds = (): { name: string; isMet: boolean }[] =>
  [...(holder.seckillNeeds ?? [])].map(([name, isMet]) => ({ name, isMet: isMet() }));
