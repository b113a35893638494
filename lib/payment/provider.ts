/** Money in minor units of an ISO 4217 currency. */
export type Money = { amountMinor: number; currency: string };

/** A payment as a provider needs to know it. */
export type PaymentRef = Money & { paymentId: string; orderNo: string };

/** What an authentic callback says. */
export type PaymentEvent = Money & {
  /** The provider's id of this callback; the same one may come many times. */
  webhookId: string;
  /** `payment.succeeded`, `payment.failed`; others are noted and ignored. */
  type: string;
  paymentId: string;
  /** The body as it came, for the record. */
  payload: Record<string, unknown>;
};

/**
 * What a provider's own books say of a payment. `unknown`: nobody has tried to pay it yet. `succeeded`: the provider holds
 * this money, all of it that came for this payment. `refunded`: it held that, and has accepted to send all of it back.
 */
export type ProviderState = { status: 'unknown' } | ({ status: 'succeeded' | 'failed' | 'refunded' } & Money);

/** Money a provider took `at` a moment (epoch ms, its clock), as its books have it now. */
export type StatementLine = Money & { paymentId: string; status: 'succeeded' | 'refunded'; at: number };

/** One page of a statement; `next` is null on the last one. */
export type StatementPage = { lines: StatementLine[]; next: string | null };

export type WebhookVerdict =
  | { status: 'authentic'; event: PaymentEvent }
  | { status: 'signature_invalid'; detail: string }
  | { status: 'malformed'; detail: string };

/** Most payments that `queryStates` is asked about at once. */
export const STATES_AT_ONCE = 1_000;

/** Who takes the money. One object per provider, listed in `providers.ts`; vendor shapes stop here. */
export type PaymentProvider = {
  readonly name: string;
  /** Where the shopper pays. The same payment always gets a page for the same money. */
  createRedirectUrl(payment: PaymentRef): Promise<string>;
  /** Asks what became of a payment. @throws if it can't be said now. */
  queryState(paymentId: string): Promise<ProviderState>;
  /** The same of up to 1,000 payments at once; those left out of the answer are unknown. @throws if it can't be said now. */
  queryStates(paymentIds: readonly string[]): Promise<Map<string, ProviderState>>;
  /**
   * The money it took since a moment, oldest first, page by page (500 lines at most).
   * @param sinceMs epoch ms, by the provider's clock @param after `next` of the page before
   * @throws if it can't be said now.
   */
  readStatement(sinceMs: number, after?: string): Promise<StatementPage>;
  /**
   * Sends this money back, which is all it holds of the payment; the payment id is the idempotency key. From then on it says
   * `refunded`. @throws if it has to be tried again.
   */
  refund(payment: Money & { paymentId: string }): Promise<void>;
  /** Checks signature and age of a callback (over the raw body), then reads it. */
  verifyWebhook(rawBody: string, headers: Headers): WebhookVerdict;
};
