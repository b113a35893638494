import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { Purchase, PurchaseResult } from '@/lib/stock/purchase-stock';
import type { Requester } from '../risk/limit-request';

/** What a shopper wants, under the loading this process knows of. */
export type Asked = Omit<Purchase, 'orderNo'> & { endsAt: number };

/** One purchase while it is being decided. A record of its own: deciders change it as they learn more. */
export type Asking = Purchase & {
  readonly info: SaleInfo;
  readonly requester: Requester;
  /** Monotonic ms before whoever decides was asked: the answer is as old as that. */
  askedAt: number;
  /** Reads who has bought, for the sold-out flag; undefined = from Redis. */
  readBuyers: ((saleId: string, atMost: number) => Promise<Set<string> | undefined>) | undefined;
};

/** Decides purchases of one kind of sale. `sell` does the rest, the same for all. */
export type Decider = {
  /**
   * When this process's memory may answer "sold out": before anything else and without a promise; once the purchase's turn
   * has come; or whenever the decider asks, as only then it knows the epoch.
   */
  looksInMemory: 'at_once' | 'in_turn' | 'itself';
  /** Whether impatient clicks with one token that meet in this process are decided once. */
  joinsClicks: boolean;
  /** Whether Redis decides and nobody else: what it accepts is remembered here, in case Redis loses it. */
  keeps: boolean;
  /**
   * Whether an accepted purchase waits in Redis's outbox; while too many do, nothing more is accepted. Left out = never,
   * and Redis is not even asked how many.
   */
  fillsOutbox?(info: SaleInfo): boolean | Promise<boolean>;
  /** The number of the order, at once where possible. Empty if `decide` names it. */
  issueOrderNo(userId: string): string | Promise<string>;
  /** @throws connection errors. The outcome is open then: asking again with the same `jti` tells it. */
  decide(asking: Asking): Promise<PurchaseResult>;
  /** The stock was not found, or is of another loading than expected. @returns whether to ask again. */
  heal(asking: Asking): Promise<boolean>;
};
