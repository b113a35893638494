/**
 * What a merchant sets of a sale as a whole number: least, most, and what it is where nothing is said (null: it has to be
 * said). Each is a column of this name; schemas, form, views and the page follow from this list.
 */
export const SALE_NUMBERS = {
  limitPerUser: { min: 1, max: 1_000, usual: null, says: 'Units one person may buy.' },
  paymentWindowSec: { min: 5, max: 604_800, usual: 900, says: 'Time to pay, in seconds.' },
  minLevel: { min: 0, max: 1_000, usual: 0, says: 'The lowest member level that may enter.' },
  minAccountAgeSec: {
    min: 0,
    max: 315_360_000,
    usual: 0,
    says: 'How old an account must be to enter, in seconds; 0: any.',
  },
  clickLockSec: { min: 1, max: 60, usual: 10, says: 'Seconds the button stays locked after a click.' },
} as const satisfies Record<string, { min: number; max: number; usual: number | null; says: string }>;
export type SaleNumber = keyof typeof SALE_NUMBERS;
export type SaleNumbers = Record<SaleNumber, number>;

const NUMBER_NAMES = Object.keys(SALE_NUMBERS) as SaleNumber[];

/** Something for each of these numbers. */
export const forEachNumber = <V>(make: (name: SaleNumber) => V): Record<SaleNumber, V> =>
  Object.fromEntries(NUMBER_NAMES.map((name) => [name, make(name)])) as Record<SaleNumber, V>;

/** The numbers of a sale, out of something that has more. */
export const numbersOf = (from: SaleNumbers): SaleNumbers => forEachNumber((name) => from[name]);

/** What a new sale has; the least where its merchant has to say it. */
export const USUAL_NUMBERS: SaleNumbers = forEachNumber(
  (name) => SALE_NUMBERS[name].usual ?? SALE_NUMBERS[name].min,
);

/** What its merchant has made of a sale: the column `sales.status`. */
export const SALE_STATUSES = ['draft', 'published', 'closed'] as const;
export type SaleStatus = (typeof SALE_STATUSES)[number];

/** What a published or closed sale is right now, by the clock, its switch and its stock. */
export const SALE_PHASES = ['scheduled', 'live', 'paused', 'sold_out', 'ended'] as const;
export type SalePhase = (typeof SALE_PHASES)[number];

/**
 * Who decides a sale's purchases: the script in Redis; one transaction in Postgres; or commands to Redis under a
 * distributed lock.
 */
export const SALE_STRATEGIES = ['script', 'database', 'lock'] as const;
export type SaleStrategy = (typeof SALE_STRATEGIES)[number];

/** While Redis can't be reached the sale stays closed, or is sold through Postgres. */
export const ON_STOCK_OUTAGE = ['closed', 'database'] as const;
export type OnStockOutage = (typeof ON_STOCK_OUTAGE)[number];

/**
 * Who sells a sale that can go over to Postgres, as its row says:
 * - `redis`: the script, within allocations.
 * - `draining`: nobody; web processes write what Redis accepted and close their allocations.
 * - `database`: Postgres, minus the margin.
 * - `rebuilding`: nobody; Redis is back, its outbox is written and the stock loaded anew.
 */
export const STOCK_MODES = ['redis', 'draining', 'database', 'rebuilding'] as const;
export type StockMode = (typeof STOCK_MODES)[number];

/** What a shopper solves before entry: nothing, a calculation of the browser's, a slider puzzle, a sum in a picture. */
export const SALE_CHALLENGES = ['none', 'pow', 'slider', 'arithmetic'] as const;
export type SaleChallenge = (typeof SALE_CHALLENGES)[number];

/** What a shopper may do who can't do the sale's puzzle: another puzzle, or also let the browser calculate. */
export const CHALLENGE_ALTERNATIVES = ['puzzle', 'calculation'] as const;
export type ChallengeAlternative = (typeof CHALLENGE_ALTERNATIVES)[number];

/** What the admin area calls a sale, by the clock and its own state; whether it is sold out is on its live view. */
export const DESK_SALE_STATES = ['draft', 'scheduled', 'running', 'paused', 'ended'] as const;
export type AdminSaleState = (typeof DESK_SALE_STATES)[number];

/** Newest made first, or by start: the next to come first, or the latest. */
export const SALE_ORDERS = ['newest', 'start', '-start'] as const;
export type SaleOrder = (typeof SALE_ORDERS)[number];
