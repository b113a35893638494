import type { StockTiers } from '@/lib/contract/shapes/sale';
import { keys } from '@/lib/redis/keys';
import { formatBuyerRecords, parseBuyerRecords } from '@/lib/stock/buyer-record';
import type { closeStock } from '@/lib/stock/close-stock';
import type { configureStock } from '@/lib/stock/configure-stock';
import { decidePurchase, type Situation } from '@/lib/stock/decide-purchase';
import type { BuyerEntry, StagedBuyers, StockSnapshot } from '@/lib/stock/load-stock';
import type { ProbeResult } from '@/lib/stock/probe-stock';
import type { Purchase, PurchaseResult } from '@/lib/stock/purchase-stock';
import type { BuyerRecord } from '@/lib/stock/types';
import type { RedisStore } from './redis';
import { WaitlistVerbs } from './waitlist';

type Order = { saleId: string; userId: string; orderNo: string };
type Restock = { saleId: string; epoch: number; delta: number; requestId: string };
type Retake = Order & { jti: string; units: number; as: 'held' | 'sold' };

/** So many changes of the stock are remembered, so that none is made twice. */
const REMEMBERED = 8;

/** Answers that come before any limit is looked at. */
const BEFORE_LIMITS = ['replayed', 'ended', 'not_started', 'paused', 'gate_invalid'];

const liveUnits = (records: readonly BuyerRecord[]): number =>
  records.reduce((sum, { state, units }) => sum + (state === 'released' ? 0 : units), 0);

const corrupt = (saleId: string) =>
  Object.assign(new Error(`available + held + sold ≠ total in ${saleId}`), { name: 'StockCorruptError' });

/**
 * The stock verbs over the simulated Redis, each in one step like its script. A test runs the same histories through
 * these and through the scripts in a real Redis, and compares every reply and the final contents.
 */
export class StockVerbs {
  constructor(
    private readonly redis: RedisStore,
    private readonly waitlist: Pick<WaitlistVerbs, 'giveOn'> = new WaitlistVerbs(redis),
  ) {}

  purchase(asked: Purchase): PurchaseResult {
    const { stockId: saleId = asked.saleId, userId, epoch } = asked;
    const sale = this.redis.hash(keys.sale(saleId));
    if (!sale) return { status: 'unknown_sale' };
    if (sale.get('epoch') !== String(epoch)) return { status: 'stale_epoch' };
    const situation = this.situation(saleId, userId);
    const decision = decidePurchase(situation, asked);
    const live = liveUnits(situation.records) + asked.quantity;
    // Like the script: after what says whether anybody may buy, before what the stock has.
    const isJudged = !BEFORE_LIMITS.includes(decision.status);
    if (isJudged && live <= situation.limit && live > this.allowanceOf(saleId, userId))
      return { status: 'campaign_limit' };
    return decision.status === 'fits' ? this.accept({ ...asked, saleId }) : decision;
  }

  /** Returns how many units a campaign leaves a user; infinite: the sale has no such limit. */
  private allowanceOf(saleId: string, userId: string): number {
    if (this.redis.hash(keys.sale(saleId))?.get('shared') !== '1') return Number.POSITIVE_INFINITY;
    return Number.parseInt(this.redis.hash(keys.allowances(saleId))?.get(userId) ?? '0', 10);
  }

  /** Returns everything that decides about a purchase of this user now. The sale must be loaded. */
  situation(saleId: string, userId: string): Situation {
    const sale = this.redis.hash(keys.sale(saleId));
    return {
      serverTime: this.redis.now(),
      startsAt: Number(sale?.get('startsAt')),
      endsAt: Number(sale?.get('endsAt')),
      limit: Number(sale?.get('limit')),
      closed: sale?.get('closed') === '1',
      gate: sale?.get('gate') ?? '',
      paused: sale?.get('paused') === '1',
      records: this.records(saleId, userId),
      lacksReservation: false,
      isAwaited: sale?.get('awaited') === '1',
      ...this.tiers(saleId),
    };
  }

  /** Takes the units of a purchase that fits, and writes its record and its message. */
  accept({ saleId, userId, orderNo, jti, quantity, epoch }: Omit<Purchase, 'gate'>) {
    const now = this.redis.now();
    this.checkTiers(saleId);
    this.move(saleId, { available: -quantity, held: quantity });
    const bought = { jti, orderNo, units: quantity, state: 'held' as const };
    this.write(saleId, userId, [...this.records(saleId, userId), bought]);
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
    return { status: 'accepted' as const, orderNo, acceptedAt: now };
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
    const status = this.change(order, (record) => {
      if (record.state === 'released') return 'already_released';
      if (record.state === 'sold') return 'already_confirmed';
      this.move(order.saleId, { held: -record.units, available: record.units });
      record.state = 'released';
      return 'released';
    });
    if (status === 'released') this.waitlist.giveOn(order.saleId);
    return status;
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
      const live = liveUnits(records) + units;
      if (live > Number(sale.get('limit'))) return 'over_limit';
      if (live > this.allowanceOf(saleId, userId)) return 'over_limit';
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
    const status = this.change(order, (record) => {
      if (record.state === 'released') return 'already_released';
      const { units } = record;
      this.move(order.saleId, {
        [record.state]: -units,
        ...(isForSale ? { available: units } : { total: -units }),
      });
      record.state = 'released';
      return 'taken_back';
    });
    if (status === 'taken_back') this.waitlist.giveOn(order.saleId);
    return status;
  }

  restock({ saleId, epoch, delta, requestId }: Restock) {
    const sale = this.redis.hash(keys.sale(saleId));
    if (!sale) return { status: 'unknown_sale' as const };
    if (sale.get('epoch') !== String(epoch)) return { status: 'stale_epoch' as const };
    const recent = (sale.get('restockIds') ?? '').split(';').filter(Boolean);
    if (recent.includes(requestId)) return { status: 'already_restocked' as const, ...this.tiers(saleId) };
    const { total, available } = this.tiers(saleId);
    if (total === -1) return { status: 'unlimited' as const };
    this.checkTiers(saleId);
    if (available + delta < 0) return { status: 'below_committed' as const, available };
    const restockIds = [...recent, requestId].slice(-REMEMBERED).join(';');
    this.redis.hset(keys.sale(saleId), { total: total + delta, available: available + delta, restockIds });
    this.waitlist.giveOn(saleId);
    return { status: 'restocked' as const, ...this.tiers(saleId) };
  }

  configure({ saleId, epoch, ...settings }: Parameters<typeof configureStock>[0]) {
    const sale = this.redis.hash(keys.sale(saleId));
    if (!sale) return 'unknown_sale';
    if (sale.get('epoch') !== String(epoch)) return 'stale_epoch';
    const { startsAt, endsAt, paused, limit, isWaitlistOpen } = settings;
    const fields = {
      startsAt,
      endsAt,
      limit,
      paused: paused === undefined ? undefined : Number(paused),
      waitlist: isWaitlistOpen === undefined ? undefined : Number(isWaitlistOpen),
    };
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined) this.redis.hset(keys.sale(saleId), { [name]: value });
    this.waitlist.giveOn(saleId);
    return 'configured';
  }

  close({ saleId, epoch }: { saleId: string; epoch: number }): Awaited<ReturnType<typeof closeStock>> {
    const sale = this.redis.hash(keys.sale(saleId));
    if (!sale) return { status: 'unknown_sale' };
    if (sale.get('epoch') !== String(epoch)) return { status: 'stale_epoch' };
    const before = Number(sale.get('endsAt'));
    if (sale.get('closed') === '1') return { status: 'already_closed', endsAt: before };
    const endsAt = Math.min(before, this.redis.now());
    this.redis.hset(keys.sale(saleId), { closed: 1, endsAt });
    return { status: 'closed', endsAt };
  }

  /** @param buyers to write, or the key under which they were written ahead; null: they stay */
  load(snapshot: Omit<StockSnapshot, 'buyers'>, buyers: readonly BuyerEntry[] | StagedBuyers | null) {
    const { saleId, epoch, total, available, held, sold, startsAt, endsAt, limit, gate } = snapshot;
    const current = Number(this.redis.hash(keys.sale(saleId))?.get('epoch') ?? 0);
    if (current > epoch) return 'stale_epoch';
    if (current === epoch) return 'already_loaded';
    if (snapshot.server !== undefined && snapshot.server !== String(this.redis.runIdOf(keys.sale(saleId))))
      return 'server_changed';
    if (buyers && 'stagedKey' in buyers) this.redis.rename(buyers.stagedKey, keys.buyers(saleId));
    else if (buyers) {
      this.redis.unlink(keys.buyers(saleId));
      for (const { userId, records } of buyers) if (records.length > 0) this.write(saleId, userId, records);
    }
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
      shared: snapshot.sharesLimit ? 1 : 0,
      server: this.redis.runIdOf(keys.sale(saleId)),
      loadedAt: this.redis.now(),
    });
    const { waitlist, parcel } = snapshot;
    if (parcel !== undefined) this.redis.hset(keys.sale(saleId), { taken: parcel, given: parcel, sent: 0 });
    if (waitlist) {
      const { isOpen, lastPlace, graceMs, staged } = waitlist;
      if (staged) {
        this.redis.rename(staged.waitlistKey, keys.waitlist(saleId));
        this.redis.rename(staged.placesKey, keys.places(saleId));
      }
      const serveFrom = this.redis.now() + graceMs;
      this.redis.hset(keys.sale(saleId), { waitlist: isOpen ? 1 : 0, lastPlace, serveFrom });
      this.waitlist.giveOn(saleId);
    }
    return 'loaded';
  }

  probe(saleId: string): ProbeResult {
    const sale = this.redis.hash(keys.sale(saleId));
    if (!sale) return { status: 'unknown_sale' };
    const epoch = Number(sale.get('epoch'));
    if (sale.get('server') !== String(this.redis.runIdOf(keys.sale(saleId))))
      return { status: 'moved', epoch };
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

  /** Returns the tiers. @throws StockCorruptError if they don't add up */
  checkTiers(saleId: string): StockTiers {
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
