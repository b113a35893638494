import type { Stack } from '@/tools/harness/stack/start-stack';

/** The target of a fault that leaves nothing running. */
export const EVERYTHING = 'everything';

/** A fault: `inject` does the damage to its target, `undo` repairs it. `stockId`: the sale, or a slice of it. */
export type Fault = {
  /** Two faults with the same target never overlap, and none overlaps one that hits `EVERYTHING`. */
  target: string;
  /** How long it lasts, in ms. */
  lastsMs: readonly [from: number, to: number];
  inject(stack: Stack, stockId: string): Promise<void> | void;
  undo(stack: Stack, stockId: string): Promise<void> | void;
  /** True: used only when asked for by name, because other promises hold under it (see docs/CHAOS.md). */
  isOptIn?: boolean;
  /** The stores that this fault needs: one Redis, a cluster, or a pooler. */
  needs?: 'server' | 'cluster' | 'pooler';
};
