import type { Bought } from '../bought';
import { MAX_PURCHASES } from '../decide-purchase';
import type { NextWaiting } from '../next-waiting';
import type { Purchase, PurchaseResult } from '../purchase-stock';
import type { BuyerRecord, HoldState } from '../types';
import type { WaitlistModel } from './waitlist-model';

type Window = 'before' | 'open' | 'after';

/** Models what the scripts should do, a second time, in plain TypeScript, with the clock reduced to three windows. */
export class StockModel {
  window: Window = 'open';
  paused = false;
  closed = false;
  held = 0;
  sold = 0;
  buyers = new Map<string, BuyerRecord[]>();
  /** Numbers of all accepted orders, in the order of their purchases. */
  outbox: string[] = [];
  restockIds: string[] = [];
  /** Epoch ms. */
  lastTakenAt: number | null = null;

  constructor(
    public epoch: number,
    readonly gate: string,
    public limit: number,
    public total: number,
    /** The stock of each variant; empty: the sale has none. */
    readonly stocks: number[] = [],
    /** Null: the sale has none. */
    readonly waitlist: WaitlistModel | null = null,
  ) {}

  get available(): number {
    return this.total === -1 ? -1 : this.total - this.held - this.sold;
  }

  /** Which variant a step means: its number, undefined where the sale has none. */
  variantOf({ variant }: { variant: number }): number | undefined {
    return this.stocks.length > 0 ? (variant % this.stocks.length) + 1 : undefined;
  }

  /** Returns the units left of a variant; without one, those of the sale. */
  leftOf(variant: number | undefined): number {
    if (variant === undefined) return this.available;
    const taken = [...this.buyers.values()]
      .flat()
      .filter((record) => record.variant === variant && record.state !== 'released');
    return taken.reduce((left, { quantity }) => left - quantity, this.stocks[variant - 1] ?? 0);
  }

  /** Returns the units of a variant that a purchase may take; without one, those of the sale. */
  private freeOf(variant: number | undefined): number {
    return this.waitlist?.isAwaited(variant ?? 0) ? 0 : this.leftOf(variant);
  }

  /** Returns the units left of each variant. */
  get variants(): number[] {
    return this.stocks.map((_, at) => this.leftOf(at + 1));
  }

  get soldOutAt(): number | null {
    return this.available === 0 ? this.lastTakenAt : null;
  }

  /** Records the moment at which units were taken. */
  take(atMs: number): void {
    this.lastTakenAt = Math.max(this.lastTakenAt ?? 0, atMs);
  }

  purchase(p: Purchase): PurchaseResult {
    if (p.epoch !== this.epoch) return { status: 'stale_epoch' };
    const records = this.buyers.get(p.userId) ?? [];
    const seen = records.find((record) => record.jti === p.jti);
    if (seen) {
      const { orderNo, quantity, variant } = seen;
      return { status: 'replayed', orderNo, quantity, variant };
    }
    if (this.closed || this.window === 'after') return { status: 'ended' };
    if (this.window === 'before') return { status: 'not_started' };
    if (this.paused) return { status: 'paused' };
    if (p.gate !== this.gate) return { status: 'gate_invalid' };
    const live = records.filter((record) => record.state !== 'released');
    const liveUnits = live.reduce((sum, record) => sum + record.quantity, 0);
    const latest = live.at(-1);
    if (latest && liveUnits >= this.limit) return { status: 'already_bought', orderNo: latest.orderNo };
    if (liveUnits + p.quantity > this.limit || records.length >= MAX_PURCHASES)
      return { status: 'over_limit' };
    if (this.total !== -1 && this.freeOf(p.variant) < p.quantity) {
      const soldOut = { status: 'sold_out', available: this.freeOf(p.variant) } as const;
      const ofAll = this.stocks.reduce((units, _, at) => units + this.freeOf(at + 1), 0);
      return p.variant === undefined ? soldOut : { ...soldOut, ofAll };
    }
    this.hold(p.userId, { jti: p.jti, orderNo: p.orderNo, quantity: p.quantity, variant: p.variant });
    return { status: 'accepted', orderNo: p.orderNo, acceptedAt: 0 };
  }

  private hold(userId: string, bought: Omit<BuyerRecord, 'state'>): void {
    this.held += bought.quantity;
    this.buyers.set(userId, [...(this.buyers.get(userId) ?? []), { ...bought, state: 'held' }]);
    this.outbox.push(bought.orderNo);
  }

  join(place: Omit<Bought, 'quantity'> & { userId: string }): string {
    if (!this.waitlist) return 'no_waitlist';
    if (this.waitlist.find(place.userId)) return 'waiting';
    if (this.closed || this.window === 'after') return 'ended';
    if (this.window === 'before') return 'not_started';
    const why = this.whyNoGift(place);
    if (why) return why;
    if (this.freeOf(place.variant) > 0) return 'available';
    this.waitlist.put({ ...place, variant: place.variant ?? 0 });
    return 'joined';
  }

  /** Gives units to those who are due, as far as they are left of what each waits for. @returns how many, and how many got none */
  give(due: readonly NextWaiting[]): { given: number; passed: number } {
    const told = { given: 0, passed: 0 };
    if (!this.waitlist || this.closed || this.paused || this.window !== 'open') return told;
    for (const { userId, orderNo } of due) {
      const place = this.waitlist.find(userId);
      const variant = place?.variant || undefined;
      if (place?.orderNo !== orderNo || this.leftOf(variant) <= 0) continue;
      this.waitlist.remove(userId);
      const isBarred = this.whyNoGift(place) !== null;
      if (!isBarred) this.hold(userId, { jti: place.jti, orderNo, quantity: 1, variant });
      told[isBarred ? 'passed' : 'given'] += 1;
    }
    return told;
  }

  private whyNoGift({ userId, jti }: { userId: string; jti: string }): string | null {
    const records = this.buyers.get(userId) ?? [];
    if (records.some((record) => record.jti === jti)) return 'token_used';
    const live = records.filter((record) => record.state !== 'released');
    if (live.reduce((sum, record) => sum + record.quantity, 0) >= this.limit) return 'already_bought';
    return records.length >= MAX_PURCHASES ? 'too_often' : null;
  }

  confirm(userId: string, orderNo: string): string {
    return this.settle(userId, orderNo, 'sold');
  }

  release(userId: string, orderNo: string): string {
    return this.settle(userId, orderNo, 'released');
  }

  private settle(userId: string, orderNo: string, to: Exclude<HoldState, 'held'>): string {
    const record = this.buyers.get(userId)?.find((each) => each.orderNo === orderNo);
    if (!record) return 'unknown_order';
    if (record.state === 'sold') return 'already_confirmed';
    if (record.state === 'released') return 'already_released';
    record.state = to;
    this.held -= record.quantity;
    if (to === 'sold') this.sold += record.quantity;
    return to === 'sold' ? 'confirmed' : 'released';
  }

  retake(userId: string, orderNo: string, as: 'held' | 'sold'): string {
    const records = this.buyers.get(userId) ?? [];
    const record = records.find((each) => each.orderNo === orderNo);
    if (!record) throw new Error('the model only retakes what was bought');
    if (record.state === 'sold') return 'already_confirmed';
    if (record.state === 'held' && as === 'held') return 'already_held';
    if (record.state === 'held') this.held -= record.quantity;
    else {
      const live = records.filter((each) => each.state !== 'released');
      const liveUnits = live.reduce((sum, each) => sum + each.quantity, 0);
      if (liveUnits + record.quantity > this.limit) return 'over_limit';
      if (this.total !== -1 && this.leftOf(record.variant) < record.quantity) return 'sold_out';
    }
    this[as] += record.quantity;
    record.state = as;
    return 'retaken';
  }

  takeBack(userId: string, orderNo: string, isForSale: boolean): string {
    const record = this.buyers.get(userId)?.find((each) => each.orderNo === orderNo);
    if (!record) return 'unknown_order';
    if (record.state === 'released') return 'already_released';
    this[record.state] -= record.quantity;
    if (!isForSale && this.total !== -1) this.add(-record.quantity, record.variant);
    record.state = 'released';
    return 'taken_back';
  }

  private add(units: number, variant: number | undefined): void {
    this.total += units;
    if (variant !== undefined) this.stocks[variant - 1] = (this.stocks[variant - 1] ?? 0) + units;
  }

  restock(delta: number, requestId: string, epoch: number, variant: number | undefined): string {
    if (epoch !== this.epoch) return 'stale_epoch';
    if (this.restockIds.includes(requestId)) return 'already_restocked';
    if (this.total === -1) return 'unlimited';
    if (this.leftOf(variant) + delta < 0) return 'below_committed';
    this.add(delta, variant);
    this.restockIds = [...this.restockIds, requestId].slice(-8);
    return 'restocked';
  }

  load(epoch: number): string {
    if (epoch < this.epoch) return 'stale_epoch';
    if (epoch === this.epoch) return 'already_loaded';
    this.epoch = epoch;
    this.restockIds = [];
    return 'loaded';
  }

  close(): string {
    if (this.closed) return 'already_closed';
    this.closed = true;
    return 'closed';
  }
}
