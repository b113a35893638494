import { keys } from '@/lib/redis/keys';
import { parseBuyerRecords } from '@/lib/stock/buyer-record';
import { parsePlace } from '@/lib/waitlist/parse-place';
import type { World } from '../world';

/**
 * Looks at Redis after every step of it: who has got a unit, and who was told a place and waits. So it finds whoever gets ahead
 * at the moment when it happens. It knows nothing of the scripts. An older copy of Redis does not know those who came after it, and
 * gives units until that is noticed: from then on it looks no more.
 */
export class WaitlistWatch {
  /** The token of each purchase that Redis ever accepted, by order number. */
  private readonly accepted = new Map<string, string>();
  private readonly passedOver = new Set<string>();

  constructor(
    private readonly world: World,
    private readonly saleId: string,
  ) {}

  /** Tells whether a place has become a purchase, or was passed over. */
  isOver = (orderNo: string): boolean => this.accepted.has(orderNo) || this.passedOver.has(orderNo);

  /** Returns the token of a purchase that Redis accepted at any time. */
  tokenOf = (orderNo: string): string | undefined => this.accepted.get(orderNo);

  /** Looks at what the last step has changed. */
  look(): void {
    const { redis } = this.world;
    const fresh: [string, string][] = [];
    for (const [, fields] of redis.xrange(keys.outbox(this.saleId), '-', Number.POSITIVE_INFINITY)) {
      const orderNo = fields[1] as string;
      if (!this.accepted.has(orderNo)) fresh.push([orderNo, String(fields[fields.indexOf('jti') + 1])]);
    }
    this.notePassedOver();
    for (const [orderNo, jti] of fresh) {
      this.checkTurn(orderNo);
      this.accepted.set(orderNo, jti);
    }
  }

  /** Whoever is passed over has as many units as one person may have, or has used the token. */
  private notePassedOver(): void {
    const { redis } = this.world;
    for (const [userId, text] of redis.hash(keys.places(this.saleId)) ?? []) {
      const { state, orderNo, jti, number } = parsePlace(text);
      if (state !== 'passed_over' || this.passedOver.has(orderNo)) continue;
      this.passedOver.add(orderNo);
      const records = parseBuyerRecords(redis.hash(keys.buyers(this.saleId))?.get(userId) ?? '');
      const live = records.reduce((sum, each) => sum + (each.state === 'released' ? 0 : each.units), 0);
      const hasUsed = records.some((record) => record.jti === jti);
      if (live < this.world.profile.limit && !hasUsed)
        this.world.violate(`6: place ${number} of ${userId} was passed over without a reason`);
    }
  }

  /** Nobody who was told a place before this one still waits. */
  private checkTurn(orderNo: string): void {
    const { world } = this;
    if (world.injected['redis older']) return;
    const own = this.numberOf(orderNo);
    for (const place of world.ledger.places.values()) {
      const isAhead = place.askedToLeaveAt === null && place.number < own && !this.isOver(place.orderNo);
      if (isAhead)
        world.violate(`6: ${orderNo} was accepted while ${place.userId} waited at place ${place.number}`);
    }
  }

  /** Returns the number of the place that became this purchase; infinite: it was bought by somebody who did not wait. */
  private numberOf(orderNo: string): number {
    for (const [, text] of this.world.redis.hash(keys.places(this.saleId)) ?? []) {
      const place = parsePlace(text);
      if (place.orderNo === orderNo) return place.number;
    }
    const [row] = this.world.postgres.places.find(null, (place) => place.orderNo === orderNo);
    return row?.number ?? Number.POSITIVE_INFINITY;
  }
}
