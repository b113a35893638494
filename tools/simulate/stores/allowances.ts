import { keys } from '@/lib/redis/keys';
import { parseBuyerRecords } from '@/lib/stock/buyer-record';
import type { Allowance } from '@/lib/stock/put-allowance';
import type { RedisStore } from './redis';

type Trim = { stockId: string; epoch: number; userId: string; number: bigint };

/** The verbs on what a campaign leaves people in a stock, over the simulated Redis, each in one step like its script. */
export class AllowanceVerbs {
  constructor(private readonly redis: RedisStore) {}

  put(stockId: string, { userId, units, number }: Allowance): 'put' | 'known' | 'late' {
    const last = this.numberOf(stockId, userId);
    if (last === number) return 'known';
    if (last !== null && last > number) return 'late';
    this.redis.hset(keys.allowances(stockId), { [userId]: `${units} ${number}` });
    return 'put';
  }

  trim({ stockId, epoch, userId, number }: Trim) {
    const sale = this.redis.hash(keys.sale(stockId));
    if (!sale) return { status: 'unknown_sale' as const };
    if (sale.get('epoch') !== String(epoch)) return { status: 'stale_epoch' as const };
    if (sale.get('server') !== String(this.redis.runIdOf(keys.sale(stockId))))
      return { status: 'moved' as const };
    const last = this.numberOf(stockId, userId);
    if (last !== null && last > number) return { status: 'late' as const };
    const text = this.redis.hash(keys.buyers(stockId))?.get(userId);
    const records = text === undefined ? [] : parseBuyerRecords(text);
    const units = records.reduce((sum, each) => sum + (each.state === 'released' ? 0 : each.units), 0);
    this.redis.hset(keys.allowances(stockId), { [userId]: `${units} ${number}` });
    return { status: 'trimmed' as const, units };
  }

  private numberOf(stockId: string, userId: string): bigint | null {
    const text = this.redis.hash(keys.allowances(stockId))?.get(userId);
    return text === undefined ? null : BigInt(text.split(' ')[1] ?? 0);
  }
}
