import type { SaleTerms } from '@/tools/harness/draft-sale';
import type { Random } from '@/tools/harness/random';

/** How the sale of a round admits people and gives second chances; a campaign is two sales with one limit. */
export const ROUND_KINDS = ['plain', 'waitlist', 'waiting-room', 'draw', 'queue', 'campaign'] as const;
export type RoundKind = (typeof ROUND_KINDS)[number];

type KindTerms = {
  /** How many sales a round has. */
  sales: number;
  /** Units of each for every shopper of the round, and how many of them one person may buy. */
  unitsPerShopper: number;
  limitPerUser: number;
  /** Units that one person may buy in all sales of the round together; null: only each sale's own limit counts. */
  campaignLimit: number | null;
  /** Whether the stock may be split over slices. */
  canBeSplit: boolean;
  /** People join a line before the start, so every round begins with the publishing. */
  hasLine: boolean;
  /** What differs from a plain sale. */
  terms: Partial<SaleTerms>;
};

const PLAIN: KindTerms = {
  sales: 1,
  unitsPerShopper: 0.6,
  limitPerUser: 2,
  campaignLimit: null,
  canBeSplit: true,
  hasLine: false,
  terms: {},
};

/** What a round of each kind sells. Stocks are small where people shall wait for what comes back. */
export const KIND_TERMS: Readonly<Record<RoundKind, KindTerms>> = {
  plain: PLAIN,
  waitlist: { ...PLAIN, unitsPerShopper: 0.3, canBeSplit: false, terms: { waitlist: true } },
  // One unit each: whoever may still buy a second one holds up the line for two minutes.
  'waiting-room': { ...PLAIN, limitPerUser: 1, hasLine: true, terms: { admission: 'waiting_room' } },
  draw: {
    ...PLAIN,
    unitsPerShopper: 0.3,
    canBeSplit: false,
    hasLine: true,
    terms: { admission: 'draw', waitlist: true },
  },
  queue: { ...PLAIN, canBeSplit: false, terms: { strategy: 'queue' } },
  campaign: { ...PLAIN, sales: 2, unitsPerShopper: 0.35, campaignLimit: 2 },
};

/** Draws the kind of a round. @param kinds to draw from */
export const drawKind = (random: Random, kinds: readonly RoundKind[]): RoundKind => random.pick(kinds);
