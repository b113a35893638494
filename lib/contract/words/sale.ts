import { MAX_LEVEL } from './level';

/**
 * The whole numbers that a merchant sets for a sale: least, most, and the default (null: it must be given). Each is a
 * column of this name; schemas, form, views and the page follow from this list.
 */
export const SALE_NUMBERS = {
  limitPerUser: { min: 1, max: 1_000, usual: null, says: 'Units one person may buy.' },
  paymentWindowSec: { min: 5, max: 604_800, usual: 900, says: 'Time to pay, in seconds.' },
  minLevel: { min: 0, max: MAX_LEVEL, usual: 0, says: 'The lowest member level that may enter.' },
  minAccountAgeSec: {
    min: 0,
    max: 315_360_000,
    usual: 0,
    says: 'How old an account must be to enter, in seconds; 0: any.',
  },
  clickLockSec: { min: 1, max: 60, usual: 10, says: 'Seconds the button stays locked after a click.' },
  placesPerNetwork: {
    min: 0,
    max: 10_000,
    usual: 0,
    says: 'How many places of a line or draw the people of one network address may have; 0: any number.',
  },
  slices: {
    min: 1,
    max: 16,
    usual: 1,
    says: 'Over how many parts of Redis the stock is split, each in a slot of its own; 1: undivided.',
  },
} as const satisfies Record<string, { min: number; max: number; usual: number | null; says: string }>;
export type SaleNumber = keyof typeof SALE_NUMBERS;
export type SaleNumbers = Record<SaleNumber, number>;

const NUMBER_NAMES = Object.keys(SALE_NUMBERS) as SaleNumber[];

/** Makes a value for each of these numbers. */
export const forEachNumber = <V>(make: (name: SaleNumber) => V): Record<SaleNumber, V> =>
  Object.fromEntries(NUMBER_NAMES.map((name) => [name, make(name)])) as Record<SaleNumber, V>;

/** Picks the numbers of a sale from an object that has more. */
export const numbersOf = (from: SaleNumbers): SaleNumbers => forEachNumber((name) => from[name]);

/** The numbers of a new sale: the default, or the least if the merchant must give it. */
export const USUAL_NUMBERS: SaleNumbers = forEachNumber(
  (name) => SALE_NUMBERS[name].usual ?? SALE_NUMBERS[name].min,
);

/** The state that its merchant has given a sale: the column `sales.status`. */
export const SALE_STATUSES = ['draft', 'published', 'closed'] as const;
export type SaleStatus = (typeof SALE_STATUSES)[number];

/** The state of a published or closed sale right now, by the time, its pause switch and its stock. */
export const SALE_PHASES = ['scheduled', 'live', 'paused', 'sold_out', 'ended'] as const;
export type SalePhase = (typeof SALE_PHASES)[number];

/**
 * The ways to decide a sale's purchases: the script in Redis; one transaction in Postgres; commands to Redis under a
 * distributed lock; or a worker, in the order of a queue, while shoppers wait.
 */
export const SALE_STRATEGIES = ['script', 'database', 'lock', 'queue'] as const;
export type SaleStrategy = (typeof SALE_STRATEGIES)[number];

type StrategyFacts = {
  /** The store that has the stock. */
  stock: 'redis' | 'postgres';
  /** Shoppers wait for a worker's decision. */
  isQueued: boolean;
  /** Postgres can go on selling while Redis is away. */
  canFallBack: boolean;
  /** The stock can be split over slices. */
  canSplit: boolean;
  /** A campaign can limit persons over several such sales. */
  canShareLimit: boolean;
  /** The sale can have variants. */
  canHaveVariants: boolean;
  /** A worker can rehearse the sale. */
  canRehearse: boolean;
};

/** The facts that set the strategies apart; their code is in `lib/purchase/deciders`. */
export const STRATEGIES: Readonly<Record<SaleStrategy, StrategyFacts>> = {
  script: {
    stock: 'redis',
    isQueued: false,
    canFallBack: true,
    canSplit: true,
    canShareLimit: true,
    canHaveVariants: true,
    canRehearse: true,
  },
  database: {
    stock: 'postgres',
    isQueued: false,
    canFallBack: false,
    canSplit: false,
    canShareLimit: false,
    canHaveVariants: false,
    canRehearse: false,
  },
  lock: {
    stock: 'redis',
    isQueued: false,
    canFallBack: false,
    canSplit: false,
    canShareLimit: false,
    canHaveVariants: false,
    canRehearse: false,
  },
  queue: {
    stock: 'redis',
    isQueued: true,
    canFallBack: false,
    canSplit: false,
    canShareLimit: false,
    canHaveVariants: false,
    canRehearse: false,
  },
};

/**
 * How a sale admits people:
 * - `first_come`: the first to press.
 * - `waiting_room`: early people are put in random order at the start, later ones queue behind them.
 * - `draw`: everybody who enters before the start has a chance; winners hold a unit and the time to pay for it.
 */
export const SALE_ADMISSIONS = ['first_come', 'waiting_room', 'draw'] as const;
export type SaleAdmission = (typeof SALE_ADMISSIONS)[number];

type AdmissionFacts = {
  /** People take numbered places before they may buy. */
  hasLine: boolean;
  /** A place's turn lets its shopper press. */
  hasTurns: boolean;
  /** Units are drawn among those with a place, and nobody presses for one. */
  isDrawn: boolean;
};

/** The facts that set the ways to admit people apart; their code is in `lib/admission/ways` and `components/sale/admission-panel`. */
export const ADMISSIONS: Readonly<Record<SaleAdmission, AdmissionFacts>> = {
  first_come: { hasLine: false, hasTurns: false, isDrawn: false },
  waiting_room: { hasLine: true, hasTurns: true, isDrawn: false },
  draw: { hasLine: true, hasTurns: false, isDrawn: true },
};

/** The source of a higher chance in a draw: none, the member level, or paid orders at the same merchant. */
export const DRAW_WEIGHTS = ['equal', 'level', 'bought_before'] as const;
export type DrawWeights = (typeof DRAW_WEIGHTS)[number];

/** The behaviour while Redis can't be reached: the sale stays closed, or Postgres sells it. */
export const ON_STOCK_OUTAGE = ['closed', 'database'] as const;
export type OnStockOutage = (typeof ON_STOCK_OUTAGE)[number];

/**
 * The seller of a sale that can switch to Postgres, as its row says:
 * - `redis`: the script, within allocations.
 * - `draining`: none; web processes write what Redis accepted and close their allocations.
 * - `database`: Postgres, minus the margin.
 * - `rebuilding`: none; Redis is back, its outbox is being written and the stock loaded again.
 */
export const STOCK_MODES = ['redis', 'draining', 'database', 'rebuilding'] as const;
export type StockMode = (typeof STOCK_MODES)[number];

/** The challenge before entry: none, a calculation that the browser does, a slider puzzle, or a sum in a picture. */
export const SALE_CHALLENGES = ['none', 'pow', 'slider', 'arithmetic'] as const;
export type SaleChallenge = (typeof SALE_CHALLENGES)[number];

/** The choice for a shopper who can't do the sale's puzzle: another puzzle, or also a calculation by the browser. */
export const CHALLENGE_ALTERNATIVES = ['puzzle', 'calculation'] as const;
export type ChallengeAlternative = (typeof CHALLENGE_ALTERNATIVES)[number];

/** The states of a sale in the admin area, by the time and its own status. Its live view shows whether it is sold out. */
export const DESK_SALE_STATES = ['draft', 'scheduled', 'running', 'paused', 'ended'] as const;
export type AdminSaleState = (typeof DESK_SALE_STATES)[number];

/** Newest first by creation; or by start: the next one first, or the latest. */
export const SALE_ORDERS = ['newest', 'start', '-start'] as const;
export type SaleOrder = (typeof SALE_ORDERS)[number];
