import type { ProviderName } from '@/lib/contract/words/payment';
import type { Money, PaymentEvent, PaymentRef, ProviderState } from '@/lib/payment/records/types';

/** Money a provider took `at` a moment (epoch ms, its clock), with its present state in the provider's books. */
export type StatementLine = Money & {
  paymentId: string;
  status: 'succeeded' | 'refunded';
  returnedMinor?: number;
  isDisputed?: boolean;
  at: number;
};

/** A part of what a provider holds of a payment. The same key names the same try to send it. */
export type PartRefund = Money & { paymentId: string; key: string };
/** `refused`: this key sends nothing any more. If the provider has sent it all the same, it holds less now. */
export type PartRefundResult = { status: 'sent' } | { status: 'refused'; detail: string };

/**
 * One page of a statement; `next` is null on the last one. `readUntil`: later pages have nothing that was taken before
 * this moment (epoch ms, the provider's clock). Left out: the last line's.
 */
export type StatementPage = { lines: StatementLine[]; next: string | null; readUntil?: number };

export type WebhookVerdict =
  | { status: 'authentic'; event: PaymentEvent }
  | { status: 'signature_invalid'; detail: string }
  /** It is about nothing that this shop has opened: it is answered, and not recorded. */
  | { status: 'not_ours' }
  | { status: 'malformed'; detail: string };

/** The most payments `queryStates` takes at once. */
export const STATES_AT_ONCE = 1_000;

/** A provider that takes the money. Each provider is one object, listed in `providers.ts`; vendor shapes stop here. */
export type PaymentProvider = {
  readonly name: ProviderName;
  /** Its name as people write it. */
  readonly brand: string;
  /** Tells whether it can take exactly this money. Left out: any amount. */
  isCountable?(money: Money): boolean;
  /**
   * Returns where the shopper pays. The same payment always gets a page for the same money.
   * @param returnPath of the order's page, in the shopper's language
   * @throws if the provider can't say now.
   */
  createRedirectUrl(payment: PaymentRef, returnPath: string): Promise<string>;
  /** Asks what became of a payment. @throws if the provider can't say now. */
  queryState(paymentId: string): Promise<ProviderState>;
  /**
   * Does the same for up to 1,000 payments at once; those left out of the answer are unknown. @throws if the provider
   * can't say now.
   */
  queryStates(paymentIds: readonly string[]): Promise<Map<string, ProviderState>>;
  /**
   * Returns the money the provider took since a moment, page by page (500 lines at most): oldest first, or with `readUntil`.
   * @param sinceMs epoch ms, by the provider's clock @param after `next` of the page before
   * @throws if the provider can't say now.
   */
  readStatement(sinceMs: number, after?: string): Promise<StatementPage>;
  /**
   * Refunds this money, which is all the provider still holds of the payment; the payment id is the idempotency key. From
   * then on the provider says `refunded`. @throws if the caller has to try again.
   */
  refund(payment: Money & { paymentId: string }): Promise<void>;
  /**
   * Refunds a part of what the provider holds of a payment, once for each key, however often and whenever it is called. After
   * a refusal the caller takes another key.
   * @throws if the provider gave no answer: then only the same key is safe.
   */
  refundPart(part: PartRefund): Promise<PartRefundResult>;
  /**
   * Tells whether a failure of these calls is our own server's, where the provider keeps something of its own there. Left
   * out: it keeps nothing.
   */
  isOurFault?(error: unknown): boolean;
  /**
   * Checks a callback's signature (over the raw body) and age, then reads it. A provider that signs nothing is asked.
   * @throws if the provider has to be asked about it and can't say now.
   */
  verifyWebhook(rawBody: string, headers: Headers): WebhookVerdict | Promise<WebhookVerdict>;
};
