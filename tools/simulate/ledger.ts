/** Records the answers that shoppers and the merchant got, to compare them with the books at the end. */
export class Ledger {
  /** Every 202: the order number that a token got. */
  readonly accepted: { userId: string; jti: string; orderNo: string; quantity: number }[] = [];
  /** Orders for which the shopper heard that they are cancelled. */
  readonly cancelled = new Set<string>();
  /** Orders for which the merchant heard that they are refunded. */
  readonly refunded = new Set<string>();
  /** How often each answer was given. */
  readonly answers: Record<string, number> = {};

  count(answer: string): void {
    this.answers[answer] = (this.answers[answer] ?? 0) + 1;
  }
}
