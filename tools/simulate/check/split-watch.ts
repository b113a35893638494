import { keys } from '@/lib/redis/keys';
import { stockFor, stocksOf } from '@/lib/slice/stock-ids';
import type { World } from '../world';

/**
 * Looks at the slices of a split sale after every step of Redis and Postgres: no slice has more units than Postgres lets it sell,
 * all together never more than there are, and a buyer has purchases in one slice only. It remembers how many units were free, so
 * that nobody hears of none while there were some all the time.
 */
export class SplitWatch {
  /** How many units were free since each moment; only where that changed. */
  private readonly free: { at: number; units: number }[] = [];

  constructor(
    private readonly world: World,
    readonly saleId: string,
  ) {}

  get stocks(): readonly string[] {
    return stocksOf(this.saleId, this.world.slices);
  }

  /** Looks at what the last step has changed. */
  look(): void {
    const { world, saleId, stocks } = this;
    const sale = world.postgres.sales.get(null, saleId);
    const pending = this.writtenOff();
    let free = 0;
    for (const [slice, stockId] of stocks.entries()) {
      this.checkBuyers(stockId);
      const held = world.redis.hash(keys.sale(stockId));
      // A copy that may be old is not asked; until it is loaded again nothing can be said of it.
      if (!held || !this.isCurrent(stockId)) {
        free = Number.NaN;
        continue;
      }
      free += Number(held.get('available')) + Number(held.get('sent') ?? 0);
      if (Number(held.get('epoch')) !== sale?.sliceEpochs[slice]) continue;
      const row = world.postgres.slices.get(null, `${saleId} ${slice}`);
      const total = Number(held.get('total'));
      if (row && total > row.total + pending)
        world.violate(`2: slice ${slice} has ${total} units, Postgres lets it sell ${row.total}`);
    }
    const all = world.postgres.slices.find(null, (row) => row.saleId === saleId);
    const dealt = all.reduce((units, { total }) => units + total, 0);
    if (sale && all.length > 0 && dealt !== sale.totalStock)
      world.violate(`2: the slices may sell ${dealt} units, the sale has ${sale.totalStock}`);
    if (!Object.is(this.free.at(-1)?.units, free)) this.free.push({ at: world.time.now, units: free });
  }

  /** Takes that a shopper hears of no units left. @param saleId of the sale, which may be another
   * @param since when the shopper asked */
  hearSoldOut(saleId: string, userId: string, since: number, quantity: number): void {
    if (saleId !== this.saleId) return;
    const from = this.free.findLastIndex(({ at }) => at <= since);
    if (from < 0) return;
    const least = Math.min(...this.free.slice(from).map(({ units }) => units));
    if (least >= quantity)
      this.world.violate(
        `6: ${userId} was told that nothing is left, and ${least} units were free all the time`,
      );
  }

  private isCurrent(stockId: string): boolean {
    const { redis } = this.world;
    return redis.hash(keys.sale(stockId))?.get('server') === String(redis.runIdOf(keys.sale(stockId)));
  }

  /** Returns the units that a refund has taken out of the sale in Postgres and that Redis still counts as sold. */
  private writtenOff = (): number =>
    this.world.postgres.orders
      .find(
        null,
        (row) => row.status === 'refunded' && row.refundReturnsStock === false && row.stockSettledAt === null,
      )
      .reduce((units, { quantity }) => units + quantity, 0);

  private checkBuyers(stockId: string): void {
    const { world, saleId } = this;
    for (const [userId] of world.redis.hash(keys.buyers(stockId)) ?? [])
      if (stockFor(saleId, userId, world.slices) !== stockId)
        world.violate(`4: ${userId} has purchases in ${stockId}, which is not the own slice`);
  }
}
