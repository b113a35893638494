import { MAX_PURCHASES } from '../decide-purchase';
import type { Purchase, PurchaseResult } from '../purchase-stock';
import type { BuyerRecord, HoldState } from '../types';

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
    if (this.total !== -1 && this.leftOf(p.variant) < p.quantity) {
      const soldOut = { status: 'sold_out', available: this.leftOf(p.variant) } as const;
      return p.variant === undefined ? soldOut : { ...soldOut, ofAll: this.available };
    }
    this.held += p.quantity;
    this.buyers.set(p.userId, [
      ...records,
      { jti: p.jti, orderNo: p.orderNo, quantity: p.quantity, variant: p.variant, state: 'held' },
    ]);
    this.outbox.push(p.orderNo);
    return { status: 'accepted', orderNo: p.orderNo, acceptedAt: 0 };
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
