/**
 * The answers that the load's clients got, as the clients recorded them: nothing in it comes from the product's own
 * stores. Times in epoch ms.
 */

export type PurchaseOutcome =
  | { kind: 'accepted'; orderNo: string; replay: boolean }
  | { kind: 'refused'; httpStatus: number; code: string }
  /** No complete answer: the purchase may have been made or not. */
  | { kind: 'unanswered'; error: string };

export type PurchaseEntry = {
  askedAt: number;
  answeredAt: number;
  web: string;
  userId: string;
  jti: string;
  quantity: number;
  outcome: PurchaseOutcome;
};

/**
 * An answer to a question about an order's status. `unknown` is a 404; `refused 503` and the like stand for any other
 * answer.
 */
type StatusEntry = { askedAt: number; answeredAt: number; orderNo: string; status: string };

type CallbackEntry = {
  sentAt: number;
  answeredAt: number;
  webhookId: string;
  type: string;
  paymentId: string;
  amountMinor: number;
  httpStatus: number | null;
  /** The result that the shop reports. */
  result: string;
};

/** Money that the provider has taken. `isWrong`: the amount is not the one that its page asked for. */
export type Charge = {
  paymentId: string;
  orderNo: string;
  amountMinor: number;
  currency: string;
  isWrong?: boolean;
};

export type MerchantEntry = {
  askedAt: number;
  answeredAt: number;
  act: 'publish' | 'pause' | 'resume' | 'restock' | 'reprice';
  /** Units, for restock; the price in minor units, for reprice. */
  delta: number;
  /** `unknown`: no answer, or one that leaves the result open. */
  result: 'done' | 'refused' | 'unknown';
  detail: string;
};

export class Ledger {
  readonly purchases: PurchaseEntry[] = [];
  readonly statuses: StatusEntry[] = [];
  readonly callbacks: CallbackEntry[] = [];
  readonly charges = new Map<string, Charge>();
  readonly merchant: MerchantEntry[] = [];

  /** Counts how often each answer was given to a purchase. */
  countAnswers(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { outcome } of this.purchases) {
      const name =
        outcome.kind === 'accepted'
          ? outcome.replay
            ? '202 replay'
            : '202'
          : outcome.kind === 'refused'
            ? `${outcome.httpStatus} ${outcome.code}`
            : 'unanswered';
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  }

  /** Returns all answers about one order, in the order in which they came. */
  about(orderNo: string): string[] {
    const jtis = new Set(
      this.purchases.flatMap(({ outcome, jti }) =>
        outcome.kind === 'accepted' && outcome.orderNo === orderNo ? [jti] : [],
      ),
    );
    const paymentId = `pay_${orderNo}`;
    const lines: [number, string][] = [
      ...this.purchases
        .filter(({ jti }) => jtis.has(jti))
        .map(({ askedAt, answeredAt, ...rest }): [number, string] => [
          answeredAt,
          `purchase asked ${askedAt}: ${JSON.stringify(rest)}`,
        ]),
      ...this.statuses
        .filter((entry) => entry.orderNo === orderNo)
        .map(({ answeredAt, status }): [number, string] => [answeredAt, `status: ${status}`]),
      ...this.callbacks
        .filter((entry) => entry.paymentId === paymentId)
        .map(({ answeredAt, sentAt, ...rest }): [number, string] => [
          answeredAt,
          `callback sent ${sentAt}: ${JSON.stringify(rest)}`,
        ]),
    ];
    return lines.sort(([a], [b]) => a - b).map(([at, text]) => `${at} ${text}`);
  }
}
