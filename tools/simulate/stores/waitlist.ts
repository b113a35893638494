import { keys } from '@/lib/redis/keys';
import { formatBuyerRecords, parseBuyerRecords } from '@/lib/stock/buyer-record';
import type { BuyerRecord } from '@/lib/stock/types';
import type { EnlistResult } from '@/lib/waitlist/enlist-in-redis';
import type { JoinResult } from '@/lib/waitlist/join-in-redis';
import { parsePlace } from '@/lib/waitlist/parse-place';
import type { Place } from '@/lib/waitlist/types';
import type { RedisStore } from './redis';

/** The most purchases that a buyer's record holds. */
const MAX_PURCHASES = 20;
const MOST_AT_ONCE = 1_000;

type Asked = Omit<Place, 'number'> & { epoch: number };

/**
 * The verbs on those who wait, over the simulated Redis, each in one step like its script. The same test as that of the
 * stock verbs compares them with the scripts in a real Redis.
 */
export class WaitlistVerbs {
  constructor(private readonly redis: RedisStore) {}

  /** Gives what is for sale to those who wait: what the scripts share as `give-on`. @returns how many units it gave. */
  giveOn(saleId: string, most = MOST_AT_ONCE): number {
    const { redis } = this;
    const sale = redis.hash(keys.sale(saleId));
    if (!sale?.get('waitlist')) return 0;
    this.noteWaiting(saleId);
    const now = redis.now();
    const isOpen = now >= Number(sale.get('startsAt')) && now < Number(sale.get('endsAt'));
    const isHalted = sale.get('closed') === '1' || sale.get('paused') === '1';
    if (!isOpen || isHalted || now < Number(sale.get('serveFrom') ?? 0)) return 0;
    let given = 0;
    while (given < most && Number(sale.get('available')) > 0) {
      const [first] = redis.zrange(keys.waitlist(saleId));
      if (!first) break;
      if (this.giveTo(saleId, first[0])) given += 1;
    }
    this.noteWaiting(saleId);
    return given;
  }

  join({ saleId, epoch, userId, jti, orderNo }: Asked, cap: number): JoinResult {
    const { redis } = this;
    const sale = redis.hash(keys.sale(saleId));
    if (!sale) return { status: 'unknown_sale' };
    if (sale.get('epoch') !== String(epoch)) return { status: 'stale_epoch' };
    if (!sale.get('waitlist')) return { status: 'no_waitlist' };
    if (redis.zrank(keys.waitlist(saleId), userId) !== null) return this.told('waiting', saleId, userId);
    const now = redis.now();
    if (sale.get('closed') === '1' || now >= Number(sale.get('endsAt'))) return { status: 'ended' };
    if (now < Number(sale.get('startsAt'))) return { status: 'not_started' };
    if (sale.get('waitlist') !== '1') return { status: 'closed' };
    const records = this.records(saleId, userId);
    if (records.some((record) => record.jti === jti)) return { status: 'token_used' };
    if (live(records) >= Number(sale.get('limit')) || records.length >= MAX_PURCHASES)
      return { status: 'already_bought' };
    const before = redis.zcard(keys.waitlist(saleId));
    const available = Number(sale.get('available'));
    if (before === 0 && available > 0) return { status: 'available', units: available };
    if (before >= cap) return { status: 'full' };
    this.put(saleId, { userId, jti, orderNo });
    if (before === 0) this.noteWaiting(saleId);
    return this.told('joined', saleId, userId);
  }

  /** Returns the number at which a user waits; null: the user does not. */
  numberOf = (saleId: string, userId: string): number | null =>
    this.redis.zrange(keys.waitlist(saleId)).find(([each]) => each === userId)?.[1] ?? null;

  leave(saleId: string, userId: string, number: number | null): boolean {
    if (number === null || this.numberOf(saleId, userId) !== number) return false;
    this.redis.zrem(keys.waitlist(saleId), userId);
    this.redis.hdel(keys.places(saleId), userId);
    if (this.redis.hash(keys.sale(saleId))) this.noteWaiting(saleId);
    return true;
  }

  takeOffServed(saleId: string, userId: string, orderNo: string): void {
    const place = this.placeOf(saleId, userId);
    if (place?.orderNo === orderNo && place.state === 'waiting') this.leave(saleId, userId, place.number);
  }

  serve({ saleId, epoch }: { saleId: string; epoch: number }, most: number): number | null {
    if (this.redis.hash(keys.sale(saleId))?.get('epoch') !== String(epoch)) return null;
    return this.giveOn(saleId, most);
  }

  enlist(
    { saleId, epoch }: { saleId: string; epoch: number },
    people: readonly Pick<Place, 'userId' | 'jti' | 'orderNo'>[],
  ): EnlistResult {
    const { redis } = this;
    const sale = redis.hash(keys.sale(saleId));
    if (!sale) return { status: 'unknown_sale' };
    if (sale.get('epoch') !== String(epoch)) return { status: 'stale_epoch' };
    if (!sale.get('waitlist')) return { status: 'no_waitlist' };
    const enlisted: Place[] = [];
    for (const person of people) {
      const { userId, orderNo } = person;
      const isWaiting = redis.zrank(keys.waitlist(saleId), userId) !== null;
      const isOver =
        this.placeOf(saleId, userId)?.orderNo === orderNo ||
        this.records(saleId, userId).some((record) => record.orderNo === orderNo);
      if (!isWaiting && isOver) continue;
      if (!isWaiting) this.put(saleId, person);
      const { number, jti, orderNo: its } = this.placeIn(saleId, userId);
      enlisted.push({ saleId, userId, number, jti, orderNo: its });
    }
    redis.hset(keys.sale(saleId), { lastPlace: sale.get('lastPlace') ?? 0 });
    this.noteWaiting(saleId);
    return { status: 'enlisted', places: enlisted, settled: people.length - enlisted.length };
  }

  /** Gives a unit to the first who waits, or passes that user over. @returns whether it gave one. */
  private giveTo(saleId: string, userId: string): boolean {
    const { redis } = this;
    const sale = redis.hash(keys.sale(saleId));
    redis.zrem(keys.waitlist(saleId), userId);
    const place = this.placeOf(saleId, userId);
    if (!place) return false;
    const { number, jti, orderNo } = place;
    const records = this.records(saleId, userId);
    const mayBuy =
      live(records) < Number(sale?.get('limit')) &&
      records.length < MAX_PURCHASES &&
      records.every((record) => record.jti !== jti);
    redis.hset(keys.places(saleId), { [userId]: `${number},${jti},${orderNo},${mayBuy ? 'g' : 'p'}` });
    if (!mayBuy) return false;
    const tier = (name: string) => Number(sale?.get(name));
    redis.hset(keys.sale(saleId), { available: tier('available') - 1, held: tier('held') + 1 });
    const bought: BuyerRecord = { jti, orderNo, units: 1, state: 'held' };
    redis.hset(keys.buyers(saleId), { [userId]: formatBuyerRecords([...records, bought]) });
    const message = { orderNo, userId, quantity: 1, jti, epoch: sale?.get('epoch') ?? '' };
    redis.xadd(keys.outbox(saleId), [...Object.entries(message).flat(), 'acceptedAt', redis.now()]);
    return true;
  }

  private put(saleId: string, { userId, jti, orderNo }: Pick<Place, 'userId' | 'jti' | 'orderNo'>): void {
    const number = Number(this.redis.hash(keys.sale(saleId))?.get('lastPlace') ?? 0) + 1;
    this.redis.hset(keys.sale(saleId), { lastPlace: number });
    this.redis.zadd(keys.waitlist(saleId), userId, number);
    this.redis.hset(keys.places(saleId), { [userId]: `${number},${jti},${orderNo},w` });
  }

  /** Notes whether somebody waits: as long as that is so, nobody else gets a unit. */
  private noteWaiting(saleId: string): void {
    const isAwaited = this.redis.zcard(keys.waitlist(saleId)) > 0;
    const isNoted = this.redis.hash(keys.sale(saleId))?.get('awaited') === '1';
    if (isNoted !== isAwaited) this.redis.hset(keys.sale(saleId), { awaited: isAwaited ? 1 : 0 });
  }

  private told(status: 'joined' | 'waiting', saleId: string, userId: string): JoinResult {
    const { number, jti, orderNo } = this.placeIn(saleId, userId);
    const ahead = this.redis.zrank(keys.waitlist(saleId), userId) ?? 0;
    return { status, place: { saleId, userId, number, jti, orderNo }, ahead };
  }

  private placeIn(saleId: string, userId: string) {
    const place = this.placeOf(saleId, userId);
    if (!place) throw new Error(`${userId} waits and has no place`);
    return place;
  }

  private placeOf(saleId: string, userId: string) {
    const text = this.redis.hash(keys.places(saleId))?.get(userId);
    return text === undefined ? null : parsePlace(text);
  }

  private records(saleId: string, userId: string): BuyerRecord[] {
    const text = this.redis.hash(keys.buyers(saleId))?.get(userId);
    return text === undefined ? [] : parseBuyerRecords(text);
  }
}

const live = (records: readonly BuyerRecord[]): number =>
  records.reduce((sum, { state, units }) => sum + (state === 'released' ? 0 : units), 0);
