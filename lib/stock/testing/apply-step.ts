import { expect } from 'vitest';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { enlistInRedis } from '@/lib/waitlist/records/enlist-in-redis';
import { joinInRedis } from '@/lib/waitlist/records/join-in-redis';
import { leaveInRedis } from '@/lib/waitlist/records/leave-in-redis';
import { closeStock } from '../close-stock';
import { configureStock } from '../configure-stock';
import { confirmStock } from '../confirm-stock';
import { loadStock } from '../load-stock';
import { formatNext, givingKeys } from '../next-waiting';
import { type Purchase, type PurchaseResult, purchaseStock } from '../purchase-stock';
import { reacquireStock } from '../reacquire-stock';
import { releaseStock } from '../release-stock';
import { restock } from '../restock';
import { runStockScript } from '../run-stock-script';
import { takeBackStock } from '../take-back-stock';
import { GATE } from './open-sale';
import { type Step, WINDOWS } from './steps';
import type { StockModel } from './stock-model';

/** The most who are asked for in one release, and at another time. */
const DUE = { atRelease: 2, later: 500 };

/** Replies after which the units count as taken at the caller's moment. */
const TAKEN = new Set(['retaken', 'already_held', 'already_confirmed', 'restocked', 'already_restocked']);

/**
 * Applies one step to Redis and to the model and expects the same reply.
 * @returns the reply's status.
 * @param decide the strategy that decides purchases.
 */
export async function applyStep(
  saleId: string,
  model: StockModel,
  step: Step,
  index: number,
  decide: (purchase: Purchase) => Promise<PurchaseResult> = purchaseStock,
): Promise<string> {
  const bought = model.outbox.length;
  const status = await apply(saleId, model, step, index, decide);
  if (step.verb !== 'purchase' && model.outbox.length > bought) {
    const [entry] = await stockRedis().xrevrange(keys.outbox(saleId), '+', '-', 'COUNT', 1);
    const fields = entry?.[1] ?? [];
    model.take(Number(fields[fields.indexOf('acceptedAt') + 1]));
  }
  return status;
}

async function apply(
  saleId: string,
  model: StockModel,
  step: Step,
  index: number,
  decide: (purchase: Purchase) => Promise<PurchaseResult>,
): Promise<string> {
  const dueAtRelease = model.waitlist?.due(DUE.atRelease) ?? [];
  switch (step.verb) {
    case 'purchase': {
      const purchase = {
        saleId,
        userId: step.user,
        jti: `token_${step.token}`,
        orderNo: String(1_000 + index),
        quantity: step.quantity,
        variant: model.variantOf(step),
        gate: step.isGateWrong ? 'wrong' : GATE,
        epoch: step.isEpochStale ? model.epoch - 1 : model.epoch,
      };
      const expected = model.purchase(purchase);
      const actual = await decide(purchase);
      if (actual.status === 'accepted') model.take(actual.acceptedAt);
      expect(actual.status === 'accepted' ? { ...actual, acceptedAt: 0 } : actual).toEqual(expected);
      return actual.status;
    }
    case 'confirm':
    case 'release': {
      const orderNo = model.buyers.get(step.user)?.[step.pick]?.orderNo ?? '999';
      const order = { saleId, userId: step.user, orderNo };
      const actual = await (step.verb === 'confirm'
        ? confirmStock(order)
        : releaseStock(order, dueAtRelease));
      expect(actual.status).toBe(model[step.verb](step.user, orderNo));
      if (actual.status === 'released') model.give(dueAtRelease);
      return actual.status;
    }
    case 'join':
    case 'enlist':
    case 'leave':
    case 'serve':
      return wait(saleId, model, step, index);
    case 'retake': {
      const record = model.buyers.get(step.user)?.[step.pick];
      if (!record) return 'nothing_to_retake';
      const { orderNo, jti, quantity: units, variant } = record;
      const as = step.isSale ? 'sold' : 'held';
      const expected = model.retake(step.user, orderNo, as);
      const takenAt = Date.now();
      const actual = await reacquireStock({
        saleId,
        userId: step.user,
        ...{ orderNo, jti, units, variant, as, takenAt },
      });
      expect(actual.status).toBe(expected);
      if (TAKEN.has(expected)) model.take(takenAt);
      return actual.status;
    }
    case 'take-back': {
      const orderNo = model.buyers.get(step.user)?.[step.pick]?.orderNo ?? '999';
      const actual = await takeBackStock({ saleId, userId: step.user, orderNo }, step.isSale, dueAtRelease);
      expect(actual.status).toBe(model.takeBack(step.user, orderNo, step.isSale));
      if (actual.status === 'taken_back') model.give(dueAtRelease);
      return actual.status;
    }
    case 'restock': {
      const epoch = step.isEpochStale ? model.epoch - 1 : model.epoch;
      const requestId = `request_${step.request}`;
      const variant = model.variantOf(step);
      const left = model.leftOf(variant);
      const expected = model.restock(step.delta, requestId, epoch, variant);
      const takenAt = Date.now();
      const actual = await restock({ saleId, epoch, delta: step.delta, variant, requestId, takenAt });
      if (step.delta < 0 && TAKEN.has(expected)) model.take(takenAt);
      const { total, available, held, sold } = model;
      if (expected.endsWith('restocked')) {
        expect(actual).toEqual({ status: expected, total, available, held, sold });
      } else {
        expect(actual).toEqual({
          status: expected,
          ...(expected === 'below_committed' && { available: left }),
        });
      }
      return actual.status;
    }
    case 'configure': {
      const { window, paused, limit } = step;
      const actual = await configureStock({
        saleId,
        epoch: model.epoch,
        ...(window && WINDOWS[window as keyof typeof WINDOWS]),
        paused,
        limit,
      });
      expect(actual.status).toBe('configured');
      if (window) model.window = window as keyof typeof WINDOWS;
      model.paused = paused ?? model.paused;
      model.limit = limit;
      return actual.status;
    }
    case 'load': {
      const epoch = Math.max(1, model.epoch + step.ahead);
      const { total, available, held, sold, paused, closed, limit, lastTakenAt, variants } = model;
      const buyers = [...model.buyers].map(([userId, records]) => ({ userId, records }));
      const settings = { ...WINDOWS[model.window], paused, closed, limit, gate: GATE, buyers, lastTakenAt };
      const waitlist = model.waitlist && { isOpen: true, lastPlace: model.waitlist.lastPlace, graceMs: 0 };
      const stock = { total, available, held, sold, variants, waitlist: waitlist ?? undefined };
      const actual = await loadStock({ saleId, epoch, ...stock, ...settings });
      expect(actual.status).toBe(model.load(epoch));
      return actual.status;
    }
    case 'close': {
      const actual = await closeStock({ saleId, epoch: model.epoch });
      expect(actual.status).toBe(model.close());
      return actual.status;
    }
  }
}

/** Applies a step of those who wait. */
async function wait(
  saleId: string,
  model: StockModel,
  step: Extract<Step, { verb: 'join' | 'enlist' | 'leave' | 'serve' }>,
  index: number,
): Promise<string> {
  const { epoch } = model;
  if (step.verb === 'serve') {
    const due = model.waitlist?.due(DUE.later) ?? [];
    const reply = await runStockScript('serve-waitlist-5', givingKeys(saleId), [epoch, ...formatNext(due)]);
    const { given, passed } = model.give(due);
    expect(reply).toEqual(['served', String(given), String(passed)]);
    return 'served';
  }
  const userId = step.user;
  if (step.verb === 'leave') {
    const hasLeft = await leaveInRedis(saleId, userId);
    expect(hasLeft).toBe(model.waitlist?.remove(userId) ?? false);
    return hasLeft ? 'left' : 'not_waiting';
  }
  const variant = model.variantOf(step);
  const place = { userId, jti: `token_${step.token}`, orderNo: String(1_000 + index), variant: variant ?? 0 };
  if (step.verb === 'enlist') {
    const { status } = await enlistInRedis({ saleId, epoch }, [place]);
    expect(status).toBe(model.waitlist ? 'enlisted' : 'no_waitlist');
    model.waitlist?.put(place);
    return status;
  }
  const { status } = await joinInRedis({ saleId, epoch, ...place });
  expect(status).toBe(model.join({ ...place, variant }));
  return status;
}
