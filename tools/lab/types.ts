/** Where the contestants' servers are. Plain data: it is sent to the racing processes. */
export type Stores = {
  databaseUrl: string;
  /** The Redis with the stock. */
  redisUrl: string;
  /** Independent Redis servers for locks, none of them the one with the stock. */
  lockUrls: string[];
};

/** What a buyer is told. `busy`: turned away without a decision, though units may be left. */
export type Answer = 'accepted' | 'sold_out' | 'busy';

/** @property stockAfter the stock counter as this attempt left or saw it, where the strategy learns it. */
export type Attempt = { answer: Answer; stockAfter?: number };

/** What the stores hold after a race: the stock counter and the orders that exist. */
export type Outcome = { stock: number; orders: number };

/** How a broken strategy fails: more sold than there is, a counter that lies, or units left while buyers were refused. */
export type Flaw = 'oversells' | 'drifts' | 'undersells';

/**
 * One strategy at work. The organiser's instance sets the race up and reads its outcome; every racing process has an
 * instance of its own, as every web process would.
 */
export interface Contestant {
  /** Organiser: clears what an earlier race left and puts `units` up for sale. */
  setUp(units: number): Promise<void>;
  /** Racing process, before the start: opens the connections, so that the race does not measure that. */
  connect(): Promise<void>;
  /** Racing process: one buyer wants one unit. */
  attempt(userId: string): Promise<Attempt>;
  /** Organiser, after the race. */
  readOutcome(): Promise<Outcome>;
  /** Both: closes this instance's connections; the data stays. */
  tearDown(): Promise<void>;
}

export type Strategy = {
  /** As given to `--only`. */
  name: string;
  title: string;
  /** Where the method (or the mistake) is described. */
  source: string;
  /** Between how many web processes the buyers are shared. */
  processes: 1 | 2;
  create(stores: Stores): Contestant;
} & ({ isCorrect: true } | { isCorrect: false; flaw: Flaw });
