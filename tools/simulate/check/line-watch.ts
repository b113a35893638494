import type { EntryResult } from '@/lib/checkout/entry/issue-entry';
import type { OwnPlace } from '@/lib/contract/shapes/line';
import { TURN_MS } from '../fakes/line';
import { entryKey } from '../stores/line-rows';
import type { World } from '../world';
import { orderOf } from './order-of';

type Told = { userId: string; number: number; place: number | null; askedToLeaveAt: number | null };

/**
 * Looks at a line after every step of Postgres, and compares what shoppers hear of their places with it and with what they
 * heard before: so it finds whoever loses a place, gets ahead, or is let in too late, at the moment when it happens. It
 * computes the order itself.
 */
export class LineWatch {
  /** When `admitted` rose above each place, epoch ms. */
  private readonly admittedAt: number[] = [];
  /** Places that shoppers heard of, by number. */
  private readonly told = new Map<number, Told>();
  private readonly entered: { place: number; at: number }[] = [];
  private order: readonly number[] | null = null;

  constructor(
    private readonly world: World,
    private readonly saleId: string,
  ) {}

  private get line() {
    return this.world.postgres.lines.get(null, this.saleId);
  }

  /** Looks at what the last step has changed. */
  look(): void {
    const { line } = this;
    if (!line) return;
    const { now } = this.world.time;
    if (line.admitted < this.admittedAt.length) this.world.violate('6: the line has gone back');
    while (this.admittedAt.length < line.admitted) this.admittedAt.push(now);
    if (line.early !== null && !this.order) this.order = orderOf(line, this.entriesBelow(line.early));
  }

  /** Takes what a shopper hears of the own place. */
  hearPlace(userId: string, { number, place }: OwnPlace): void {
    const { world } = this;
    const row = world.postgres.lineEntries.get(null, entryKey({ sale_id: this.saleId, number }));
    if (row?.user_id !== userId) world.violate(`6: ${userId} was told number ${number}, which is not theirs`);
    const own = this.told.get(number);
    if (own && own.userId !== userId)
      world.violate(`6: ${userId} and ${own.userId} were both told number ${number}`);
    for (const before of this.told.values()) {
      if (before.userId === userId && before.number < number && !this.mayBeOver(before))
        world.violate(`6: ${userId} had number ${before.number} in the line and was told ${number}`);
    }
    const known = own ?? { userId, number, place: null, askedToLeaveAt: null };
    this.told.set(number, known);
    if (place === null) return;
    if (place !== this.placeOf(number))
      world.violate(`6: number ${number} was told place ${place}, the seed says ${this.placeOf(number)}`);
    for (const other of this.told.values())
      if (other.number !== number && other.place === place)
        world.violate(`6: ${userId} and ${other.userId} were both told place ${place}`);
    known.place = place;
    world.tell(userId, `told number ${number}, place ${place}`);
  }

  /** Takes that a shopper hears of no place at all. @param since when the shopper asked */
  hearNone(userId: string, since: number): void {
    const lost = this.standing(userId, since);
    if (lost) this.world.violate(`6: ${userId} was told number ${lost.number}, and then that there is none`);
  }

  /** Notes that a shopper asks to leave. */
  noteLeaving(userId: string): void {
    for (const told of this.told.values())
      if (told.userId === userId) told.askedToLeaveAt ??= this.world.time.now;
  }

  /** Takes the answer to somebody who wants to enter. @param since when the shopper asked */
  hearEntry(userId: string, since: number, { status }: EntryResult): void {
    const { world } = this;
    const own = this.standing(userId, since);
    const latest = [...this.told.values()].filter((told) => told.userId === userId).at(-1);
    const place = latest ? this.placeOf(latest.number) : null;
    if (status === 'entered') {
      // Who joined again may have another place than the one that was told last.
      const places = this.rowsOf(userId).map(({ number }) => this.placeOf(number));
      if (!places.some((each) => each !== null && this.admittedAt[each] !== undefined))
        world.violate(`6: ${userId} entered before the turn of place ${place}`);
      if (place !== null) this.entered.push({ place, at: world.time.now });
    }
    if (status === 'not_in_line' && own)
      world.violate(`6: ${userId} has number ${own.number} and was told of no place in the line`);
    if (status === 'turn_over' && own)
      world.violate(`6: ${userId} was told that the turn is over, which began less than ${TURN_MS} ms ago`);
    if (status === 'not_admitted' && place !== null) {
      const ahead = this.entered.find((other) => other.place > place && other.at < since);
      if (ahead) world.violate(`6: ${userId} waits at place ${place}, and place ${ahead.place} has entered`);
    }
  }

  /**
   * Takes that somebody who was let in finds nothing left. The line lets nobody in without a unit for each, unless Redis has
   * lost some, or late money has taken one again.
   */
  hearSoldOut(userId: string): void {
    const { world } = this;
    if (world.profile.redisLosses > 0 || world.hasRetaken(this.saleId)) return;
    world.violate(`6: ${userId} was let in, and nothing was left`);
  }

  /** Returns the place that somebody was told and can't have lost by then; undefined: none. */
  private standing(userId: string, since: number): Told | undefined {
    return [...this.told.values()].find((told) => told.userId === userId && !this.mayBeOver(told, since));
  }

  /**
   * Tells whether a place may have ended: it was left, or its turn has lasted two minutes, from its beginning or from when
   * it was used.
   */
  private mayBeOver({ number, askedToLeaveAt }: Told, since = this.world.time.now): boolean {
    if (askedToLeaveAt !== null) return true;
    const { now } = this.world.time;
    const key = entryKey({ sale_id: this.saleId, number });
    const enteredAt = this.world.postgres.lineEntries.get(null, key)?.entered_at;
    if (enteredAt) return Math.max(now, since) >= enteredAt.getTime() + TURN_MS;
    const place = this.placeOf(number);
    const at = place === null ? undefined : this.admittedAt[place];
    return at !== undefined && now >= at + TURN_MS - 1;
  }

  /** Returns the place that a number has by the seed; null before the start. */
  placeOf(number: number): number | null {
    if (!this.order) return null;
    return number < this.order.length ? this.order.indexOf(number) : number;
  }

  private rowsOf = (userId: string) =>
    this.world.postgres.lineEntries.find(null, (row) => row.user_id === userId);

  private entriesBelow = (count: number) =>
    this.world.postgres.lineEntries
      .find(null, ({ number }) => number < count)
      .sort((a, b) => a.number - b.number);
}
