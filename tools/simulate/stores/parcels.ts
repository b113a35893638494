import { keys } from '@/lib/redis/keys';
import type { giveParcel } from '@/lib/stock/give-parcel';
import type { RedisStore } from './redis';
import type { StockVerbs } from './stock';

type Parcel = Parameters<typeof giveParcel>[1];
type Given = Awaited<ReturnType<typeof giveParcel>>;

/** The verbs that move units between slices, over the simulated Redis, each in one step like its script. */
export class ParcelVerbs {
  constructor(
    private readonly redis: RedisStore,
    private readonly stock: Pick<StockVerbs, 'checkTiers'>,
  ) {}

  give(stockId: string, { epoch, number, units: most }: Parcel): Given {
    const sale = this.redis.hash(keys.sale(stockId));
    if (!sale) return { status: 'unknown_sale' };
    if (sale.get('epoch') !== String(epoch)) return { status: 'stale_epoch' };
    if (sale.get('server') !== String(this.redis.runIdOf(keys.sale(stockId)))) return { status: 'moved' };
    const { given, sent } = this.sent(stockId);
    if (given === number && sent > 0) return { status: 'given', units: sent };
    if (given >= number) return { status: 'late' };
    if (sent > 0) return { status: 'under_way' };
    const { total, available } = this.stock.checkTiers(stockId);
    const units = Math.min(available, most);
    if (units === 0) return { status: 'none' };
    const left = { total: total - units, available: available - units };
    this.redis.hset(keys.sale(stockId), { ...left, given: number, sent: units });
    return { status: 'given', units };
  }

  take(stockId: string, { number, units }: { number: number; units: number }) {
    const sale = this.redis.hash(keys.sale(stockId));
    if (!sale) return 'unknown_sale';
    if (Number(sale.get('taken') ?? 0) >= number) return 'already_taken';
    const { total, available } = this.stock.checkTiers(stockId);
    this.redis.hset(keys.sale(stockId), {
      total: total + units,
      available: available + units,
      taken: number,
    });
    return 'taken';
  }

  end(stockId: string, number: number, isBack: boolean) {
    if (!this.redis.hash(keys.sale(stockId))) return 'unknown_sale';
    const { given, sent } = this.sent(stockId);
    if (given !== number || sent === 0) return 'already_ended';
    if (isBack) {
      const { total, available } = this.stock.checkTiers(stockId);
      this.redis.hset(keys.sale(stockId), { total: total + sent, available: available + sent });
    }
    this.redis.hset(keys.sale(stockId), { sent: 0 });
    return 'ended';
  }

  private sent(stockId: string): { given: number; sent: number } {
    const sale = this.redis.hash(keys.sale(stockId));
    return { given: Number(sale?.get('given') ?? 0), sent: Number(sale?.get('sent') ?? 0) };
  }
}
