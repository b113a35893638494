import { createRandom } from '@/tools/harness/random';
import type { FaultProfile } from './fault-profile';

/**
 * How a simulated sale sells. `plain`: first come, first served. `waitlist`: so, too, and whoever is too late may wait for a
 * unit that comes back. `waiting-room`: people join a line before the start and are let in. `draw`: people enter
 * before the start, and units go to them in a random order. `restock`: first come, first served, in every other sale with a
 * waitlist, and the merchant adds units and takes some back. `queue`: purchases wait in a queue and workers decide them, while the
 * merchant pauses the sale, changes its units and may close it. `campaign`: two sales on two servers share a limit per person. `split`: a stock in slices on two servers.
 * The others are mixed: their parts are named by `PARTS`.
 */
export const SALE_KINDS = [
  'plain',
  'waitlist',
  'waiting-room',
  'draw',
  'restock',
  'queue',
  'campaign',
  'split',
  'split-campaign',
  'queue-waitlist',
] as const;
export type SaleKind = (typeof SALE_KINDS)[number];

/**
 * What the product lets a merchant combine. It refuses a queue or a waitlist in a split sale and in a campaign with a limit, and
 * a waitlist in a sale that goes over to Postgres.
 */
const PARTS: Partial<Record<SaleKind, readonly SaleKind[]>> = {
  'split-campaign': ['split', 'campaign'],
  'queue-waitlist': ['queue', 'waitlist'],
};
/** A seed that draws the first part of a mixed kind sells the mixed kind with this probability. */
const MIXED = 0.4;

/** Returns the kinds that a mixed kind is made of; any other kind is its own only part. */
export const partsOf = (kind: SaleKind): readonly SaleKind[] => PARTS[kind] ?? [kind];

/** Draws the kind of a schedule's sale. Its other choices don't depend on this one: a seed draws the same plain sale as ever. */
export function drawSaleKind(seed: number): SaleKind {
  const kind = drawPart(seed);
  const random = createRandom(seed).fork('mixed');
  const mixed = SALE_KINDS.filter((other) => PARTS[other]?.[0] === kind);
  return mixed.length > 0 && random.chance(MIXED) ? random.pick(mixed) : kind;
}

const drawPart = (seed: number): SaleKind =>
  createRandom(seed).fork('kind').weighted({
    plain: 4,
    waitlist: 3,
    'waiting-room': 3,
    draw: 3,
    restock: 2,
    queue: 2,
    campaign: 2,
    split: 2,
  });

/** Fits a profile to the kind of sale: whoever waits is worth something only where more people come than there are units. */
export function fitToKind(profile: FaultProfile, kind: SaleKind, seed: number): FaultProfile {
  if (kind === 'plain') return profile;
  const random = createRandom(seed).fork('crowd');
  // Added units and settings that don't reach Redis wait for the reconciliation.
  const parts = partsOf(kind);
  const has = (part: SaleKind) => parts.includes(part);
  const isReconciled = profile.isReconciled || has('restock') || has('queue') || has('split');
  if (has('campaign'))
    return { ...profile, isReconciled, shoppers: random.int(2, 3), stock: random.int(2, 4) };
  const shoppers = random.int(3, 6);
  return {
    ...profile,
    isReconciled,
    shoppers,
    stock: has('split') ? random.int(2, 5) : random.int(1, 2),
  };
}
