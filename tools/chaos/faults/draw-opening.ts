import type { Random } from '@/tools/harness/random';
import type { PlannedFault } from './draw-faults';
import { type FaultName, faultOf } from './kinds';

/** Faults that may hit while a sale is published and when it starts. */
const KILLS: readonly FaultName[] = [
  'kill-web-1',
  'kill-web-2',
  'kill-worker',
  'kill-redis',
  'kill-postgres',
];

/** The sale starts this long after it is published: enough time to be up again after the first fault. */
const OPENS_AFTER_MS = 4_000;
const WARM_UP_MS = 250;
const AROUND_START_MS = 200;

/** How a round begins. Times in ms from the beginning of the load. */
type Opening = {
  /** When the sale starts; null: it has started already. */
  opensAtMs: number | null;
  faults: PlannedFault[];
};

/**
 * Draws how a round begins. About every other round begins with the publishing of its sale: one fault hits during the
 * publishing, another around the start, when all shoppers are there. In the other rounds the sale is open already.
 * @param names the faults to draw from
 */
export function drawOpening(random: Random, names: readonly FaultName[]): Opening {
  const kills = KILLS.filter((name) => names.includes(name));
  if (!random.chance(0.5) || kills.length === 0) return { opensAtMs: null, faults: [] };
  const fault = (atMs: number): PlannedFault => {
    const name = random.pick(kills);
    return { name, atMs, lastsMs: random.int(...faultOf(name).lastsMs) };
  };
  return {
    opensAtMs: OPENS_AFTER_MS,
    faults: [
      fault(random.int(0, WARM_UP_MS)),
      fault(OPENS_AFTER_MS + random.int(-AROUND_START_MS, AROUND_START_MS)),
    ],
  };
}
