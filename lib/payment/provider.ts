/** A payment as a provider needs to know it. */
export type PaymentRef = { paymentId: string; orderNo: string; amountMinor: number; currency: string };

/** What an authentic callback says. */
export type PaymentEvent = {
  /** The provider's id of this callback; the same one may come many times. */
  webhookId: string;
  /** `payment.succeeded`, `payment.failed`; others are noted and ignored. */
  type: string;
  paymentId: string;
  amountMinor: number;
  currency: string;
  /** The body as it came, for the record. */
  payload: Record<string, unknown>;
};

/** What a provider says when it is asked about a payment. `unknown`: nobody has tried to pay it yet. */
export type ProviderState =
  | { status: 'unknown' }
  | { status: 'succeeded' | 'failed'; amountMinor: number; currency: string };

export type WebhookVerdict =
  | { status: 'authentic'; event: PaymentEvent }
  | { status: 'signature_invalid'; detail: string }
  | { status: 'malformed'; detail: string };

/** Who takes the money. One object per provider, listed in `providers.ts`; vendor shapes stop here. */
export type PaymentProvider = {
  readonly name: string;
  /** Where the shopper pays. The same payment always gets a page for the same money. */
  createRedirectUrl(payment: PaymentRef): Promise<string>;
  /** Asks what became of a payment. @throws if it can't be said now. */
  queryState(paymentId: string): Promise<ProviderState>;
  /** Gives all the money back; the payment id is the idempotency key. @throws if it has to be tried again. */
  refund(payment: PaymentRef): Promise<void>;
  /** Checks signature and age of a callback (over the raw body), then reads it. */
  verifyWebhook(rawBody: string, headers: Headers): WebhookVerdict;
};
