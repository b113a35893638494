/** What shoppers were told, to be held against the books at the end. */
export class Ledger {
  /** Every 202: which order number a token was given. */
  readonly accepted: { userId: string; jti: string; orderNo: string; quantity: number }[] = [];
  /** Orders whose shopper was told that they are cancelled. */
  readonly cancelled = new Set<string>();
  /** Orders whose merchant was told that they are refunded. */
  readonly refunded = new Set<string>();
  /** How often which answer was given. */
  readonly answers: Record<string, number> = {};

  count(answer: string): void {
    this.answers[answer] = (this.answers[answer] ?? 0) + 1;
  }
}
