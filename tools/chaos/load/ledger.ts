/**
 * The answers that the load's clients got, as the clients recorded them: nothing in it comes from the product's own
 * stores. Times in epoch ms.
 */

export type PurchaseOutcome =
  | { kind: 'accepted'; orderNo: string; replay: boolean }
  /** A queue has it: no promise yet. */
  | { kind: 'undecided'; orderNo: string }
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
 * An answer to a question about an order's status. `unknown` is a 404; `no order: SOLD_OUT` and the like say why a
 * queue's purchase became none; `refused 503` and the like stand for any other answer.
 */
export type StatusEntry = { askedAt: number; answeredAt: number; orderNo: string; status: string };

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

/** An answer about somebody's own place in a line or on a waitlist. */
export type PlaceEntry = {
  askedAt: number;
  answeredAt: number;
  userId: string;
  of: 'line' | 'waitlist';
  act: 'join' | 'look' | 'leave' | 'enter';
  /** Null: no complete answer. */
  httpStatus: number | null;
  /** Of a refusal; empty otherwise. */
  code: string;
  /** In the order of joining, and of admission; null where the answer says nothing of it. */
  number: number | null;
  place: number | null;
  /** Of a waitlist: how the shopper stands, and how many come before. */
  state: string | null;
  ahead: number | null;
};

export class Ledger {
  readonly purchases: PurchaseEntry[] = [];
  readonly statuses: StatusEntry[] = [];
  readonly places: PlaceEntry[] = [];
  /** What shoppers saw of the seed's hash before the start. */
  readonly seedHashes = new Set<string>();
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
            : outcome.kind;
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  }

  /** Counts the answers about places by act, status and state, and what became of a queue's purchases. */
  countPlaces(): Record<string, number> {
    const counts: Record<string, number> = {};
    const add = (name: string) => {
      counts[name] = (counts[name] ?? 0) + 1;
    };
    for (const { of, act, httpStatus, code, state } of this.places)
      add(
        `${of} ${act} ${httpStatus === null ? 'unanswered' : [httpStatus, code || state].filter(Boolean).join(' ')}`,
      );
    for (const { status } of this.statuses) if (status.startsWith('no order')) add(status);
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
