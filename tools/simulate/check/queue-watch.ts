import { keys } from '@/lib/redis/keys';
import type { World } from '../world';

/** What Redis held before a step, as far as it decides about those who wait. */
type Before = {
  runId: number;
  queue: [id: string, text: string][];
  sale: ReadonlyMap<string, string>;
  buyers: ReadonlyMap<string, string>;
};
type Decision = 'accepted' | 'replayed' | 'paused' | 'already_bought' | 'over_limit' | 'sold_out' | 'stale';

/** What shoppers hear of each decision. */
const TOLD: Partial<Record<Decision, string>> = {
  accepted: 'accepted',
  replayed: 'LIMIT_REACHED',
  already_bought: 'LIMIT_REACHED',
  over_limit: 'LIMIT_REACHED',
  paused: 'PAUSED',
  sold_out: 'SOLD_OUT',
};

/**
 * Looks at the queue of purchases after every step of Redis. Whoever leaves it must be those who came first, and it computes
 * for each, in that order, what the rules say of the stock, the buyers and the settings before that step: by itself, with no
 * line of the product. What shoppers hear of their purchases it compares with that, and with what they heard before.
 */
export class QueueWatch {
  /** What was decided of each purchase, by order number. */
  readonly decided = new Map<string, Decision>();
  private readonly told = new Map<string, string>();
  private before: Before | null = null;
  /** The loading under which each purchase was queued, by order number. */
  private readonly queued = new Map<string, number>();

  constructor(
    private readonly world: World,
    private readonly saleId: string,
  ) {}

  /** Looks at what the last step has changed. */
  look(): void {
    const { before } = this;
    const now = this.waiting();
    if (before && before.runId === this.world.redis.runIdOf(keys.queue(this.saleId))) {
      const isWaiting = new Set(now.map(([id]) => id));
      const left = before.queue.filter(([id]) => !isWaiting.has(id));
      if (left.length > 0) this.check(before, left);
    }
    for (const [, text] of now) {
      const [epoch, , , orderNo = ''] = text.split(' ');
      this.queued.set(orderNo, Number(epoch));
    }
    const { redis } = this.world;
    // Copies cost time: where nobody waits, nobody can be decided in the next step.
    const copy = (key: string) => new Map(now.length > 0 ? redis.hash(key) : []);
    this.before = {
      runId: redis.runIdOf(keys.queue(this.saleId)),
      queue: now,
      sale: copy(keys.sale(this.saleId)),
      buyers: copy(keys.buyers(this.saleId)),
    };
  }

  /** Takes what a shopper hears of a purchase that was queued: `accepted`, or the code of a refusal. */
  hear(userId: string, orderNo: string, said: string): void {
    const { world } = this;
    if (world.injected['redis older']) return;
    const first = this.told.get(orderNo) ?? said;
    // Only what was accepted is kept beyond Redis: a refusal that Redis has lost is told as "buy again".
    const isForgotten = said === 'NOT_DECIDED' && first !== 'accepted';
    if (first !== said && !isForgotten)
      world.violate(`6: ${userId} was told ${first} of ${orderNo}, then ${said}`);
    this.told.set(orderNo, said);
    const decision = this.decided.get(orderNo);
    if (said === 'NOT_DECIDED') {
      const epoch = world.postgres.sales.get(null, this.saleId)?.epoch;
      if (epoch === this.queued.get(orderNo))
        world.violate(`6: ${userId} was told that ${orderNo} was lost, and the sale was not loaded again`);
      return;
    }
    if (decision === undefined || TOLD[decision] !== said)
      world.violate(`6: ${userId} was told ${said} of ${orderNo}, which was decided as ${decision}`);
  }

  /** Returns the numbers of which shoppers heard that nothing was decided. */
  toldUndecided = (): string[] =>
    [...this.told].filter(([, said]) => said === 'NOT_DECIDED').map(([orderNo]) => orderNo);

  /** Returns the numbers that were queued, and neither decided nor lost. */
  forgotten = (): string[] =>
    this.world.profile.redisLosses > 0
      ? []
      : [...this.queued.keys()].filter((orderNo) => !this.decided.has(orderNo));

  private waiting = (): [string, string][] =>
    this.world.redis
      .xrange(keys.queue(this.saleId), '-', Number.POSITIVE_INFINITY)
      .map(([id, fields]) => [id, fields[1] ?? '']);

  private check(before: Before, left: readonly [string, string][]): void {
    const { world } = this;
    const isFirst = left.every(([id], at) => before.queue[at]?.[0] === id);
    if (!isFirst) world.violate('6: somebody was decided before those who came earlier');
    let available = Number(before.sale.get('available'));
    const bought = new Map<string, string[][]>();
    for (const [userId, text] of before.buyers)
      bought.set(
        userId,
        text.split(';').map((record) => record.split(',')),
      );
    for (const [, text] of left) {
      const [epoch, userId = '', jti = '', orderNo = '', units = '0'] = text.split(' ');
      const own = bought.get(userId) ?? [];
      const live = own.filter(([, , , state]) => state !== 'r');
      const liveUnits = live.reduce((sum, [, , count]) => sum + Number(count), 0);
      const limit = Number(before.sale.get('limit'));
      const decide = (): Decision => {
        if (epoch !== before.sale.get('epoch')) return 'stale';
        if (own.some(([token]) => token === jti)) return 'replayed';
        if (before.sale.get('paused') === '1') return 'paused';
        if (live.length > 0 && liveUnits >= limit) return 'already_bought';
        if (liveUnits + Number(units) > limit) return 'over_limit';
        // Whoever waits for a unit that comes back is ahead of all.
        if (before.sale.get('awaited') === '1') return 'sold_out';
        return available < Number(units) ? 'sold_out' : 'accepted';
      };
      const expected = decide();
      if (expected === 'accepted') {
        available -= Number(units);
        bought.set(userId, [...own, [jti, orderNo, units, 'h']]);
      }
      this.compare(userId, orderNo, expected);
    }
  }

  private compare(userId: string, orderNo: string, expected: Decision): void {
    const { world } = this;
    const held = world.redis.hash(keys.buyers(this.saleId))?.get(userId) ?? '';
    const asked = world.redis.hash(keys.asked(this.saleId))?.get(userId) ?? '';
    const answer = asked.split(';').find((one) => one.split(',')[1] === orderNo);
    const refusal = answer?.split(',')[3]?.split(':')[0];
    const isHeld = held.split(';').some((record) => record.split(',')[1] === orderNo);
    const is = isHeld ? 'accepted' : (refusal ?? 'stale');
    if (is !== expected)
      world.violate(`6: ${orderNo} of ${userId} was decided as ${is}, the rules say ${expected}`);
    const before = this.decided.get(orderNo);
    if (before !== undefined && !world.injected['redis older'])
      world.violate(`6: ${orderNo} of ${userId} was decided as ${before}, then as ${expected}`);
    this.decided.set(orderNo, expected);
    world.ledger.count(`queue ${expected}`);
  }
}
