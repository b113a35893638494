/** A place on the waitlist that a shopper was told of. */
type ToldPlace = {
  userId: string;
  number: number;
  /** The order that it becomes. */
  orderNo: string;
  /** When the shopper asked to leave it, and when that was confirmed; epoch ms. */
  askedToLeaveAt: number | null;
  leftAt: number | null;
};

/** Records the answers that shoppers and the merchant got, to compare them with the books at the end. */
export class Ledger {
  /** Every 202: the order number that a token got. */
  readonly accepted: { userId: string; jti: string; orderNo: string; quantity: number }[] = [];
  /** Orders for which the shopper heard that they are cancelled. */
  readonly cancelled = new Set<string>();
  /** Orders for which the merchant heard that they are refunded. */
  readonly refunded = new Set<string>();
  /** Places on the waitlist that shoppers heard of, by order number. */
  readonly places = new Map<string, ToldPlace>();
  /** How often each answer was given. */
  readonly answers: Record<string, number> = {};

  count(answer: string): void {
    this.answers[answer] = (this.answers[answer] ?? 0) + 1;
  }

  tellPlace({ userId, number, orderNo }: Pick<ToldPlace, 'userId' | 'number' | 'orderNo'>): void {
    if (this.places.has(orderNo)) return;
    this.places.set(orderNo, { userId, number, orderNo, askedToLeaveAt: null, leftAt: null });
  }

  placesOf = (userId: string): ToldPlace[] =>
    [...this.places.values()].filter((place) => place.userId === userId);
}
