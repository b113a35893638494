import type { StockTiers } from '@/lib/contract/shapes/sale';
import { keys } from '@/lib/redis/keys';
import { formatBuyerRecords, parseBuyerRecords } from '@/lib/stock/buyer-record';
import { decidePurchase } from '@/lib/stock/decide-purchase';
import type { BuyerEntry, StockSnapshot } from '@/lib/stock/load-stock';
import type { ProbeResult } from '@/lib/stock/probe-stock';
import type { Purchase, PurchaseResult } from '@/lib/stock/purchase-stock';
import type { BuyerRecord } from '@/lib/stock/types';
import type { RedisStore } from './redis';

type Order = { saleId: string; userId: string; orderNo: string };
type Retake = Order & { jti: string; units: number; as: 'held' | 'sold' };

const corrupt = (saleId: string) =>
  Object.assign(new Error(`available + held + sold ≠ total in ${saleId}`), { name: 'StockCorruptError' });

/**
 * The stock verbs over the simulated Redis, each in one step like its script. A test runs the same histories through
 * these and through the scripts in a real Redis, and compares every reply and the final contents.
 */
export class StockVerbs {
  constructor(private readonly redis: RedisStore) {}

  purchase(asked: Purchase): PurchaseResult {
    const { saleId, userId, orderNo, jti, quantity, epoch } = asked;
    const sale = this.redis.hash(keys.sale(saleId));
    if (!sale) return { status: 'unknown_sale' };
    if (sale.get('epoch') !== String(epoch)) return { status: 'stale_epoch' };
    const records = this.records(saleId, userId);
    const now = this.redis.now();
    const tiers = this.tiers(saleId);
    const decision = decidePurchase(
      {
        serverTime: now,
        startsAt: Number(sale.get('startsAt')),
        endsAt: Number(sale.get('endsAt')),
        limit: Number(sale.get('limit')),
        closed: sale.get('closed') === '1',
        gate: sale.get('gate') ?? '',
        paused: sale.get('paused') === '1',
        records,
        lacksReservation: false,
        ...tiers,
      },
      asked,
    );
    if (decision.status !== 'fits') return decision;
    this.checkTiers(saleId);
    this.move(saleId, { available: -quantity, held: quantity });
    this.write(saleId, userId, [...records, { jti, orderNo, units: quantity, state: 'held' }]);
    this.redis.xadd(keys.outbox(saleId), [
      'orderNo',
      orderNo,
      'userId',
      userId,
      'quantity',
      quantity,
      'jti',
      jti,
      'epoch',
      epoch,
      'acceptedAt',
      now,
    ]);
    return { status: 'accepted', orderNo, acceptedAt: now };
  }

  confirm(order: Order) {
    return this.change(order, (record) => {
      if (record.state === 'sold') return 'already_confirmed';
      if (record.state === 'released') return 'already_released';
      this.move(order.saleId, { held: -record.units, sold: record.units });
      record.state = 'sold';
      return 'confirmed';
    });
  }

  release(order: Order) {
    return this.change(order, (record) => {
      if (record.state === 'released') return 'already_released';
      if (record.state === 'sold') return 'already_confirmed';
      this.move(order.saleId, { held: -record.units, available: record.units });
      record.state = 'released';
      return 'released';
    });
  }

  retake({ saleId, userId, orderNo, jti, units: asked, as }: Retake) {
    const sale = this.redis.hash(keys.sale(saleId));
    if (!sale) return 'unknown_sale';
    const records = this.records(saleId, userId);
    const record = records.find((each) => each.orderNo === orderNo);
    if (record?.state === 'sold') return 'already_confirmed';
    if (record?.state === 'held' && as === 'held') return 'already_held';
    const units = record?.units ?? asked;
    const { total, available } = this.checkTiers(saleId);
    if (record?.state === 'held') this.move(saleId, { held: -units, [as]: units });
    else {
      const live = records.reduce((sum, each) => sum + (each.state === 'released' ? 0 : each.units), 0);
      if (live + units > Number(sale.get('limit'))) return 'over_limit';
      if (total !== -1 && available < units) return 'sold_out';
      this.move(saleId, { available: -units, [as]: units });
      this.redis.hset(keys.sale(saleId), { retaken: Number(sale.get('retaken') ?? 0) + units });
    }
    if (record) record.state = as;
    else records.push({ jti, orderNo, units, state: as });
    this.write(saleId, userId, records);
    return 'retaken';
  }

  takeBack(order: Order, isForSale: boolean) {
    return this.change(order, (record) => {
      if (record.state === 'released') return 'already_released';
      const { units } = record;
      this.move(order.saleId, {
        [record.state]: -units,
        ...(isForSale ? { available: units } : { total: -units }),
      });
      record.state = 'released';
      return 'taken_back';
    });
  }

  load(snapshot: Omit<StockSnapshot, 'buyers'>, buyers: readonly BuyerEntry[] | null) {
    const { saleId, epoch, total, available, held, sold, startsAt, endsAt, limit, gate } = snapshot;
    const current = Number(this.redis.hash(keys.sale(saleId))?.get('epoch') ?? 0);
    if (current > epoch) return 'stale_epoch';
    if (current === epoch) return 'already_loaded';
    if (buyers) this.redis.unlink(keys.buyers(saleId));
    for (const { userId, records } of buyers ?? [])
      if (records.length > 0) this.write(saleId, userId, records);
    this.redis.unlink(keys.sale(saleId));
    this.redis.hset(keys.sale(saleId), {
      epoch,
      total,
      available,
      held,
      sold,
      startsAt,
      endsAt,
      limit,
      gate,
      paused: snapshot.paused ? 1 : 0,
      closed: snapshot.closed ? 1 : 0,
      server: this.redis.runId,
      loadedAt: this.redis.now(),
    });
    return 'loaded';
  }

  probe(saleId: string): ProbeResult {
    const sale = this.redis.hash(keys.sale(saleId));
    if (!sale) return { status: 'unknown_sale' };
    const epoch = Number(sale.get('epoch'));
    if (sale.get('server') !== String(this.redis.runId)) return { status: 'moved', epoch };
    return { status: 'loaded', epoch, ageMs: this.redis.now() - Number(sale.get('loadedAt')) };
  }

  records(saleId: string, userId: string): BuyerRecord[] {
    const text = this.redis.hash(keys.buyers(saleId))?.get(userId);
    return text === undefined ? [] : parseBuyerRecords(text);
  }

  tiers(saleId: string): StockTiers {
    const sale = this.redis.hash(keys.sale(saleId));
    const tier = (name: string) => Number(sale?.get(name) ?? Number.NaN);
    return { total: tier('total'), available: tier('available'), held: tier('held'), sold: tier('sold') };
  }

  private change<Status extends string>(
    { saleId, userId, orderNo }: Order,
    work: (record: BuyerRecord) => Status,
  ): Status | 'unknown_sale' | 'unknown_order' {
    if (!this.redis.hash(keys.sale(saleId))) return 'unknown_sale';
    const records = this.records(saleId, userId);
    const record = records.find((each) => each.orderNo === orderNo);
    if (!record) return 'unknown_order';
    const before = record.state;
    const status = work(record);
    if (record.state !== before) this.write(saleId, userId, records);
    return status;
  }

  private write(saleId: string, userId: string, records: readonly BuyerRecord[]): void {
    this.redis.hset(keys.buyers(saleId), { [userId]: formatBuyerRecords(records) });
  }

  private checkTiers(saleId: string): StockTiers {
    const tiers = this.tiers(saleId);
    const { total, available, held, sold } = tiers;
    const addsUp = total === -1 ? available === -1 : available >= 0 && available + held + sold === total;
    if (!addsUp || held < 0 || sold < 0) throw corrupt(saleId);
    return tiers;
  }

  /** Moves units between tiers. @throws StockCorruptError, before writing anything, if a tier would go below zero. */
  private move(saleId: string, by: Partial<StockTiers>): void {
    const tiers = this.checkTiers(saleId);
    const isUnlimited = tiers.total === -1;
    for (const [tier, units] of Object.entries(by) as [keyof StockTiers, number][]) {
      if (!isUnlimited || (tier !== 'available' && tier !== 'total')) tiers[tier] += units;
    }
    if (tiers.held < 0 || tiers.sold < 0 || (!isUnlimited && tiers.available < 0)) throw corrupt(saleId);
    this.redis.hset(keys.sale(saleId), tiers);
  }
}
