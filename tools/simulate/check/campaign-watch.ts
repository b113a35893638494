import { keys } from '@/lib/redis/keys';
import { stockFor, stocksOf } from '@/lib/slice/stock-ids';
import type { World } from '../world';

/**
 * Looks at the sales of a campaign after every step of Redis and Postgres: nobody ever has, or may have, more than the
 * campaign allows over all of them. It counts by itself what is written in Redis and in Postgres.
 */
export class CampaignWatch {
  constructor(private readonly world: World) {}

  private get limit(): number {
    return this.world.postgres.campaigns.get(null, 'campaign')?.limitPerUser ?? Number.POSITIVE_INFINITY;
  }

  /** Looks at what the last step of Redis has changed. */
  lookAtRedis(): void {
    const { world, limit } = this;
    for (const userId of world.postgres.users) {
      const has = this.sum((saleId) => this.live(saleId, userId));
      if (has > limit) world.violate(`4: ${userId} has ${has} units in Redis, the campaign allows ${limit}`);
      const may = this.sum((saleId) => this.allowed(saleId, userId));
      if (may > limit) world.violate(`4: Redis allows ${userId} ${may} units, the campaign ${limit}`);
    }
  }

  /** Looks at what the last step of Postgres has changed. */
  lookAtPostgres(): void {
    const { world, limit } = this;
    const units = new Map<string, number>();
    for (const row of world.postgres.allowances.find(null, () => true))
      units.set(row.user_id, (units.get(row.user_id) ?? 0) + row.units);
    for (const [userId, may] of units)
      if (may > limit) world.violate(`4: Postgres allows ${userId} ${may} units, the campaign ${limit}`);
  }

  /** Tells whether a person may buy another unit of a sale, by what all sales have of that person now. */
  mayHave(saleId: string, userId: string): boolean {
    const { postgres, profile } = this.world;
    const inOrders = postgres.orders
      .find(
        null,
        (row) => row.userId === userId && (row.status === 'pending_payment' || row.status === 'paid'),
      )
      .reduce((sum, { quantity }) => sum + quantity, 0);
    const has = Math.max(
      this.sum((id) => this.live(id, userId)),
      inOrders,
    );
    return has < this.limit && this.live(saleId, userId) < profile.limit && this.isWhole();
  }

  hasUnit = (saleId: string): boolean =>
    stocksOf(saleId, this.world.slices).some((stockId) => this.world.stock.tiers(stockId).available > 0);

  /** Returns how many units a person has in a sale, held or sold. */
  live(saleId: string, userId: string): number {
    const text = this.world.redis.hash(keys.buyers(this.stockOf(saleId, userId)))?.get(userId) ?? '';
    const records = text.split(';').map((record) => record.split(','));
    return records.reduce(
      (sum, [, , units, state]) => sum + (state === 'h' || state === 's' ? Number(units) : 0),
      0,
    );
  }

  /** Returns how many units Redis lets a person have in a sale; 0 while it does not sell it. */
  allowed(saleId: string, userId: string): number {
    const { redis } = this.world;
    const stockId = this.stockOf(saleId, userId);
    if (!redis.hash(keys.sale(stockId))) return 0;
    return Number.parseInt(redis.hash(keys.allowances(stockId))?.get(userId) ?? '0', 10);
  }

  private isWhole = (): boolean =>
    this.world.saleIds.every((id) => {
      const sale = this.world.postgres.sales.get(null, id);
      return stocksOf(id, this.world.slices).every((stockId, slice) => {
        const probe = this.world.stock.probe(stockId);
        const epoch = this.world.slices === 1 ? sale?.epoch : sale?.sliceEpochs[slice];
        return probe.status === 'loaded' && probe.epoch === epoch;
      });
    });

  /** Returns the stock that counts what a person buys in a sale. */
  private stockOf = (saleId: string, userId: string): string => stockFor(saleId, userId, this.world.slices);

  private sum = (of: (saleId: string) => number): number =>
    this.world.saleIds.reduce((sum, saleId) => sum + of(saleId), 0);
}
