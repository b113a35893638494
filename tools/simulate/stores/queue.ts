import { keys } from '@/lib/redis/keys';
import { type Decision, decidePurchase } from '@/lib/stock/decide-purchase';
import type { QueueDecision } from '@/lib/stock/decide-queue';
import type { PurchaseOrigin } from '@/lib/stock/enqueue-purchase';
import type { Purchase, PurchaseResult } from '@/lib/stock/purchase-stock';
import type { RedisStore } from './redis';
import type { StockVerbs } from './stock';

type Asked = { jti: string; orderNo: string; units: number; answer: string };

const UNDECIDED = 'u';
/** So many purchases of a user may wait, and so many are remembered. */
const MOST_OF_USER = 20;
const MOST_AT_ONCE = 250;

/** The two verbs on a queue of purchases over the simulated Redis, each in one step like its script. */
export class QueueVerbs {
  constructor(
    private readonly redis: RedisStore,
    private readonly stock: StockVerbs,
  ) {}

  /** Puts a purchase into the queue, or refuses it. @param cap the most purchases that may wait */
  enqueue(purchase: Purchase, { ip, device }: PurchaseOrigin, cap: number): PurchaseResult {
    const { saleId, userId, jti, orderNo, quantity, epoch } = purchase;
    const sale = this.redis.hash(keys.sale(saleId));
    if (!sale) return { status: 'unknown_sale' };
    if (sale.get('epoch') !== String(epoch)) return { status: 'stale_epoch' };
    const decision = decidePurchase(this.stock.situation(saleId, userId), purchase);
    if (decision.status === 'replayed') return decision;
    const own = this.asked(saleId, userId);
    const undecided = own.filter(({ answer }) => answer === UNDECIDED);
    const same = undecided.find((one) => one.jti === jti);
    if (same) return { status: 'undecided', orderNo: same.orderNo, quantity: same.units, isRepeated: true };
    if (decision.status !== 'fits') return decision;
    const isFull = this.redis.xlen(keys.queue(saleId)) >= cap;
    if (isFull || undecided.length >= MOST_OF_USER) return { status: 'backlogged' };
    this.write(saleId, userId, [...own, { jti, orderNo, units: quantity, answer: UNDECIDED }]);
    const words = [epoch, userId, jti, orderNo, quantity, ip || '-', device || '-'];
    this.redis.xadd(keys.queue(saleId), ['purchase', words.join(' ')]);
    return { status: 'undecided', orderNo, quantity, isRepeated: false };
  }

  isWaiting = (saleId: string): boolean => this.redis.xlen(keys.queue(saleId)) > 0;

  /** Decides the purchases that have waited longest. @returns what was decided, in order */
  decide(saleId: string): QueueDecision[] {
    const waiting = this.redis.xrange(keys.queue(saleId), '-', MOST_AT_ONCE);
    const sale = this.redis.hash(keys.sale(saleId));
    if (waiting.length === 0 || !sale) return [];
    const current = sale.get('epoch') ?? '';
    const decisions = waiting.map(([, [, text = '']]): QueueDecision => {
      const [epoch, userId = '', jti = '', orderNo = '', units, ip, device] = text.split(' ');
      const purchase = { userId, jti, orderNo, quantity: Number(units), epoch: Number(current) };
      const result = this.decideOne({ saleId, ...purchase }, epoch === current);
      this.answer(saleId, purchase, result);
      const word = (given = '-') => (given === '-' ? '' : given);
      return { ...purchase, origin: { ip: word(ip), device: word(device) }, result };
    });
    this.redis.xdel(
      keys.queue(saleId),
      waiting.map(([id]) => id),
    );
    return decisions;
  }

  private decideOne(purchase: Omit<Purchase, 'gate'>, isCurrent: boolean): PurchaseResult {
    if (!isCurrent) return { status: 'stale_epoch' };
    const situation = this.stock.situation(purchase.saleId, purchase.userId);
    const { gate } = situation;
    // It came in time, and with the right gate.
    const inTime = { ...situation, closed: false, startsAt: 0, endsAt: Number.POSITIVE_INFINITY };
    const decision = decidePurchase(inTime, { ...purchase, gate });
    return decision.status === 'fits' ? this.stock.accept(purchase) : decision;
  }

  private answer(
    saleId: string,
    { userId, orderNo }: { userId: string; orderNo: string },
    result: PurchaseResult,
  ): void {
    const own = this.asked(saleId, userId);
    const at = own.findIndex((one) => one.orderNo === orderNo);
    const one = own[at];
    if (!one) return;
    if (result.status === 'accepted' || result.status === 'stale_epoch') own.splice(at, 1);
    else one.answer = wordsOf(result as Exclude<Decision, { status: 'fits' }>);
    this.write(saleId, userId, own);
  }

  private asked(saleId: string, userId: string): Asked[] {
    const text = this.redis.hash(keys.asked(saleId))?.get(userId);
    return (text?.split(';') ?? []).map((part) => {
      const [jti = '', orderNo = '', units, answer = ''] = part.split(',');
      return { jti, orderNo, units: Number(units), answer };
    });
  }

  /** Of too many, the oldest that are decided go. */
  private write(saleId: string, userId: string, own: readonly Asked[]): void {
    let surplus = own.length - MOST_OF_USER;
    const kept = own.filter(({ answer }) => {
      const isGone = surplus > 0 && answer !== UNDECIDED;
      if (isGone) surplus -= 1;
      return !isGone;
    });
    if (kept.length === 0) this.redis.hdel(keys.asked(saleId), userId);
    else {
      const texts = kept.map(({ jti, orderNo, units, answer }) => [jti, orderNo, units, answer].join(','));
      this.redis.hset(keys.asked(saleId), { [userId]: texts.join(';') });
    }
  }
}

/** Returns a refusal as it stands in the record of what a user asked for. */
function wordsOf(result: Exclude<Decision, { status: 'fits' }>): string {
  switch (result.status) {
    case 'replayed':
      return `replayed:${result.orderNo}:${result.quantity}`;
    case 'already_bought':
      return `already_bought:${result.orderNo}`;
    case 'sold_out':
      return `sold_out:${result.available}`;
    default:
      return result.status;
  }
}
