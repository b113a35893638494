import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { Requester } from '@/lib/limit/limit-request';
import type { Purchase, PurchaseResult } from '@/lib/stock/purchase-stock';

/** A shopper's request, under the loading that this process knows of. */
export type PurchaseQuestion = Omit<Purchase, 'orderNo'> & { endsAt: number };

/** One purchase while it is being decided. It is a record of its own, because deciders change it as they learn more. */
export type Asking = Purchase & {
  /** As far as this process knows; replaced where it learns more. */
  info: SaleInfo;
  readonly requester: Requester;
  /** Monotonic ms just before the decider's store was asked. The answer is taken to be that old. */
  askedAt: number;
  /** Reads who has bought, for the sold-out flag; undefined: Redis is read. */
  readBuyers: ((saleId: string, atMost: number) => Promise<Set<string> | undefined>) | undefined;
};

/** Decides the purchases of one kind of sale. `sell` does the rest, which is the same for all. */
export type Decider = {
  /**
   * When this process's memory may answer "sold out". `at_once`: before anything else and without a promise.
   * `in_turn`: once it is the purchase's turn. `in_decide`: when the decider asks, because only then it knows the epoch.
   */
  looksInMemory: 'at_once' | 'in_turn' | 'in_decide';
  /** True if impatient clicks with one token that meet in this process get one decision. */
  joinsClicks: boolean;
  /** True if `sell` remembers what Redis accepts, in case Redis loses it. (`decideWithFallback` does so itself.) */
  isRemembered: boolean;
  /**
   * Tells whether an accepted purchase waits in Redis's outbox. While too many wait, `sell` accepts nothing more.
   * Left out: never, and Redis is not even asked how many wait.
   */
  fillsOutbox?(info: SaleInfo): boolean | Promise<boolean>;
  /** Issues the order's number, at once where possible. Empty if `decide` issues it. */
  issueOrderNo(userId: string): string | Promise<string>;
  /** @throws connection errors. Then the outcome is open: asking again with the same `jti` tells it. */
  decide(asking: Asking): Promise<PurchaseResult>;
  /** Called when the stock was not found, or is of another loading than expected. @returns whether to ask again */
  heal(asking: Asking): Promise<boolean>;
};
