import { DECISION_DETAILS, type Leaf, leaf } from '@/lib/contract/shapes/decision-log';
import type { ProvenEntry } from '@/lib/shuffle/check-order';
import { parseJson } from './parse-json';

/** How a published list and the leaves of a log can differ. */
export type LeavesFault =
  /** Somebody joined before the hash of the seed was there. */
  | 'committed_late'
  /** Somebody in the list never joined, or joined under another name or with another nonce. */
  | 'not_entered'
  /** Somebody joined and is not in the list. */
  | 'dropped'
  /** Two people have joined with one number. */
  | 'entered_twice'
  /** The result of a draw is another one. */
  | 'drawn_otherwise';

type Entered = { who: string | undefined; nonce: string | undefined };
type Drawn = { place: number; weight: number; passedOver: string | null };

/** Collects what the leaves of a log say about its line, one after the other, and compares it with a list. */
export class LineLeaves {
  private readonly entered = new Map<number, Entered>();
  private readonly drawn = new Map<number, Drawn>();
  private twice: number | null = null;
  private isEarlyEntered = false;
  /** Of the leaves that concern everybody, in their order. */
  readonly shared: Leaf[] = [];

  /** @param text of a leaf; whatever is none, or is about something else, is left out */
  add(text: string): void {
    const read = leaf.safeParse(parseJson(text));
    if (!read.success) return;
    const { kind, who, detail } = read.data;
    if (kind === 'committed' || kind === 'placed') this.shared.push(read.data);
    if (kind === 'entered') {
      const known = DECISION_DETAILS.entered.parse(detail);
      if (!this.shared.some((other) => other.kind === 'committed')) this.isEarlyEntered = true;
      this.twice ??= this.entered.has(known.number) ? known.number : null;
      this.entered.set(known.number, { who, nonce: known.nonce });
    }
    if (kind === 'drawn') {
      const { number, ...result } = DECISION_DETAILS.drawn.parse(detail);
      this.twice ??= this.drawn.has(number) ? number : null;
      this.drawn.set(number, result);
    }
  }

  /**
   * Compares the leaves with a list. In a waiting room people join after the order was made; in a draw nobody does.
   * @returns what differs, and whose entry shows it; null: nothing does
   */
  compare(
    isDraw: boolean,
    entries: readonly ProvenEntry[],
  ): { problem: LeavesFault; number?: number } | null {
    if (this.isEarlyEntered) return { problem: 'committed_late' };
    if (this.twice !== null) return { problem: 'entered_twice', number: this.twice };
    const listed = new Set<number>();
    for (const { number, pseudonym, nonce, place, weight, passedOver } of entries) {
      listed.add(number);
      const joined = this.entered.get(number);
      if (joined?.who !== pseudonym || joined.nonce !== nonce) return { problem: 'not_entered', number };
      if (!isDraw) continue;
      const result = this.drawn.get(number);
      if (result?.place !== place || result.weight !== weight || result.passedOver !== passedOver)
        return { problem: 'drawn_otherwise', number };
    }
    if (!isDraw) return null;
    for (const number of this.entered.keys()) if (!listed.has(number)) return { problem: 'dropped', number };
    return null;
  }
}
