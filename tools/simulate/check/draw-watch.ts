import { keys } from '@/lib/redis/keys';
import type { LineEntryRow } from '../stores/line-rows';
import type { World } from '../world';
import { orderOf } from './order-of';

const MOST_BY_LEVEL = 10;

/**
 * Looks at a draw after every step of Redis: units go to those who were drawn, in the order that follows from the seed. It
 * computes that order itself, from who was there at the start. An older copy of Redis gives units twice until that is noticed:
 * from then on it looks no more.
 */
export class DrawWatch {
  private readonly accepted = new Set<string>();
  private places: Map<number, number> | null = null;

  constructor(
    private readonly world: World,
    private readonly saleId: string,
  ) {}

  /** Looks at what the last step has changed. */
  look(): void {
    const { redis, injected } = this.world;
    for (const [, fields] of redis.xrange(keys.outbox(this.saleId), '-', Number.POSITIVE_INFINITY)) {
      const [orderNo = '', userId = '', jti = ''] = [1, 3, fields.indexOf('jti') + 1].map((at) => fields[at]);
      if (this.accepted.has(orderNo)) continue;
      if (!injected['redis older']) this.checkTurn(orderNo, userId, jti);
      this.accepted.add(orderNo);
    }
  }

  /** Returns the place that a number has by the seed, from 0. */
  placeOf(number: number): number {
    this.places ??= new Map(this.compute().map((each, place) => [each, place]));
    return this.places.get(number) ?? -1;
  }

  /** Tells whether a purchase of this number was ever accepted. */
  wasAccepted = (orderNo: string): boolean => this.accepted.has(orderNo);

  private entries = (): LineEntryRow[] =>
    this.world.postgres.lineEntries.find(null, () => true).sort((a, b) => a.number - b.number);

  private compute(): number[] {
    const { postgres } = this.world;
    const line = postgres.lines.get(null, this.saleId);
    if (!line) return [];
    const { drawWeights } = postgres.sales.get(null, this.saleId) ?? {};
    const weightOf = (userId: string) =>
      drawWeights === 'level' ? Math.min(1 + (postgres.levels.get(userId) ?? 0), MOST_BY_LEVEL) : 1;
    return orderOf(
      line,
      this.entries().map(({ nonce, user_id }) => ({ nonce, weight: weightOf(user_id) })),
    );
  }

  /** Of a purchase that was won: nobody before it is without a unit. Of another: nobody who was drawn is. */
  private checkTurn(orderNo: string, userId: string, jti: string): void {
    const { world } = this;
    const [, number] = /^draw_(\d+)_/.exec(jti) ?? [];
    const entries = this.entries();
    const own = number === undefined ? undefined : entries[Number(number)];
    if (number !== undefined && own?.user_id !== userId)
      world.violate(`6: ${userId} got ${orderNo} for number ${number}, which is ${own?.user_id}'s`);
    const place = own ? this.placeOf(own.number) : Number.POSITIVE_INFINITY;
    for (const other of entries) {
      if (this.placeOf(other.number) >= place || other.left_at !== null) continue;
      if (other.order_no === null || !this.accepted.has(other.order_no))
        world.violate(`6: ${userId} got ${orderNo} before ${other.user_id}, who was drawn earlier`);
    }
  }
}
