/** Money in minor units of an ISO 4217 currency. */
export type Money = { amountMinor: number; currency: string };

/** The part of a payment that a provider needs to know. */
export type PaymentRef = Money & { paymentId: string; orderNo: string };

/** The content of an authentic callback. */
export type PaymentEvent = Money & {
  /** The provider's id of this callback; the same callback may come many times. */
  webhookId: string;
  /** `payment.succeeded` or `payment.failed`; the shop records other types and ignores them. */
  type: string;
  paymentId: string;
  /** The body as it came, for the record. */
  payload: Record<string, unknown>;
};

/**
 * A payment's state in a provider's own books. `unknown`: no shopper has tried to pay it yet. `succeeded`: the
 * provider holds this money, all that came for this payment. `refunded`: it held that, and has accepted to send all
 * of it back.
 */
export type ProviderState = { status: 'unknown' } | ({ status: 'succeeded' | 'failed' | 'refunded' } & Money);

/** Money a provider took `at` a moment (epoch ms, its clock), with its present state in the provider's books. */
export type StatementLine = Money & { paymentId: string; status: 'succeeded' | 'refunded'; at: number };

/** One page of a statement; `next` is null on the last one. */
export type StatementPage = { lines: StatementLine[]; next: string | null };

export type WebhookVerdict =
  | { status: 'authentic'; event: PaymentEvent }
  | { status: 'signature_invalid'; detail: string }
  | { status: 'malformed'; detail: string };

/** The most payments `queryStates` takes at once. */
export const STATES_AT_ONCE = 1_000;

/** A provider that takes the money. Each provider is one object, listed in `providers.ts`; vendor shapes stop here. */
export type PaymentProvider = {
  readonly name: string;
  /** Returns where the shopper pays. The same payment always gets a page for the same money. */
  createRedirectUrl(payment: PaymentRef): Promise<string>;
  /** Asks what became of a payment. @throws if the provider can't say now. */
  queryState(paymentId: string): Promise<ProviderState>;
  /**
   * Does the same for up to 1,000 payments at once; those left out of the answer are unknown. @throws if the provider
   * can't say now.
   */
  queryStates(paymentIds: readonly string[]): Promise<Map<string, ProviderState>>;
  /**
   * Returns the money the provider took since a moment, oldest first, page by page (500 lines at most).
   * @param sinceMs epoch ms, by the provider's clock @param after `next` of the page before
   * @throws if the provider can't say now.
   */
  readStatement(sinceMs: number, after?: string): Promise<StatementPage>;
  /**
   * Refunds this money, which is all the provider holds of the payment; the payment id is the idempotency key. From
   * then on the provider says `refunded`. @throws if the caller has to try again.
   */
  refund(payment: Money & { paymentId: string }): Promise<void>;
  /**
   * Tells whether a failure of these calls is our own server's, where the provider keeps something of its own there. Left
   * out: it keeps nothing.
   */
  isOurs?(error: unknown): boolean;
  /** Checks a callback's signature (over the raw body) and age, then reads it. */
  verifyWebhook(rawBody: string, headers: Headers): WebhookVerdict;
};
