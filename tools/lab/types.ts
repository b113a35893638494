/** URLs of the contestants' servers. Plain data, because it is sent to the racing processes. */
export type Stores = {
  databaseUrl: string;
  /** The Redis that holds the stock. */
  redisUrl: string;
  /** Independent Redis servers for locks; none of them holds the stock. */
  lockUrls: string[];
};

/** The answer to a buyer. `busy`: turned away without a decision, though units may be left. */
export type Answer = 'accepted' | 'sold_out' | 'busy';

/** @property stockAfter the stock counter as this attempt left or saw it, if the strategy learns it. */
export type Attempt = { answer: Answer; stockAfter?: number };

/** Contents of the stores after a race: the stock counter and the number of orders. */
export type Outcome = { stock: number; orders: number };

/**
 * How a broken strategy fails: it sells more than there is, its counter is wrong, or units are left while buyers were
 * refused.
 */
export type Flaw = 'oversells' | 'drifts' | 'undersells';

/**
 * One strategy at work. The organiser's instance sets the race up and reads its outcome. Every racing process has an
 * instance of its own, as every web process would.
 */
export interface Contestant {
  /** Organiser: deletes what an earlier race left and puts `units` up for sale. */
  setUp(units: number): Promise<void>;
  /** Racing process, before the start: opens the connections, so that the race does not measure this. */
  connect(): Promise<void>;
  /** Racing process: tries to buy one unit for one buyer. */
  attempt(userId: string): Promise<Attempt>;
  /** Organiser, after the race: reads the outcome. */
  readOutcome(): Promise<Outcome>;
  /** Both: closes this instance's connections; the data stays. */
  tearDown(): Promise<void>;
}

export type Strategy = {
  /** The name used with `--only`. */
  name: string;
  title: string;
  /** The text that describes the method, or the mistake. */
  source: string;
  /** Number of web processes among which the buyers are divided. */
  processes: 1 | 2;
  create(stores: Stores): Contestant;
} & ({ isCorrect: true } | { isCorrect: false; flaw: Flaw });
