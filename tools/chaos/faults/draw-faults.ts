import type { Random } from '@/tools/harness/random';
import { areInTheWay, type FaultName, faultOf } from './kinds';

export type PlannedFault = { name: FaultName; atMs: number; lastsMs: number };

const QUIET_START_MS = 800;
/** Pause between the end of one fault and the next with the same target. */
const GAP_MS = 500;

type Options = {
  names: readonly FaultName[];
  count: number;
  loadMs: number;
  /** Faults that come in any case. Drawn faults that would overlap them on the same target are left out. */
  fixed?: readonly PlannedFault[];
};

/**
 * Draws faults and their times, in ms from the beginning of the load. Faults with different targets may overlap; a
 * fault that no longer fits is left out.
 * @param loadMs length of the load @param count how many to try
 */
export function drawFaults(random: Random, { names, count, loadMs, fixed = [] }: Options): PlannedFault[] {
  const drawn = Array.from({ length: count }, () => {
    const name = random.pick(names);
    const [from, to] = faultOf(name).lastsMs;
    return { name, atMs: random.int(QUIET_START_MS, loadMs), lastsMs: random.int(from, to) };
  });
  const kept = [...fixed];
  for (const fault of drawn.sort((a, b) => a.atMs - b.atMs)) {
    const isFree = kept.every((other) => !areInTheWay(other.name, fault.name) || isApart(other, fault));
    if (isFree) kept.push(fault);
  }
  return kept.sort((a, b) => a.atMs - b.atMs);
}

const isApart = (one: PlannedFault, other: PlannedFault): boolean =>
  one.atMs + one.lastsMs + GAP_MS <= other.atMs || other.atMs + other.lastsMs + GAP_MS <= one.atMs;
