import 'server-only';
import { env } from '@/lib/env';
import { lockServers } from '@/lib/lock/lock-servers';
import { takeTurn } from '@/lib/lock/take-turn';
import type { Lock } from '@/lib/lock/types';
import { withLock } from '@/lib/lock/with-lock';
import { keys } from '@/lib/redis/keys';
import { replyNumber, unknownReply } from '@/lib/redis/parse-reply';
import { applyLimits } from './apply-limits';
import { formatBought } from './bought';
import { isId } from './check-ids';
import { decidePurchase } from './decide-purchase';
import { checkPurchase } from './purchase-arguments';
import type { Purchase, PurchaseResult } from './purchase-stock';
import { readSituation, type SeenSituation } from './read-situation';
import { runStockScript } from './run-stock-script';
import { UNLIMITED } from './types';

const SCRIPT = 'put-purchase-3';
/** If a purchase's first reading is older than this, the purchase reads the stock again before it takes the lock. */
const STALE_MS = 5;
/** How long the others wait for the lock of a holder that died. */
const TTL_MS = 2_000;
/**
 * How many purchases of this process may wait for a sale's lock. Only one at a time asks Redis for it: if they
 * competed with each other, every try would cost a round trip.
 */
const MAX_WAITING = 500;
/**
 * How often the lock's holder reads the situation at most. Only payments, releases and the merchant change a sale
 * while it is locked.
 */
const MAX_READINGS = 10;

/**
 * Implements the lock strategy: checks and deducts with separate commands, under a distributed lock kept apart from the
 * stock. It leaves the same buyer record and order message as `purchaseStock`. A refusal needs no lock. The write
 * carries the fencing token, the lock's certain end and the situation that was read; Redis refuses it if one no longer
 * holds.
 *
 * @returns `busy` if it did not get the lock within `LOCK_ACQUIRE_TIMEOUT_MS`, or lost it before the write.
 * @throws as `purchaseStock`, and LockServersDownError.
 */
export async function purchaseUnderLock(purchase: Purchase): Promise<PurchaseResult> {
  const { saleId } = purchase;
  if (!isId(saleId)) return { status: 'unknown_sale' };
  checkPurchase(purchase);

  const glance = await look(purchase);
  const limited = await applyLimits(glance.status, purchase);
  if (limited) return limited;
  if (glance.status !== 'fits') return glance;
  const askedAt = performance.now();
  const name = `purchase:${saleId}`;
  const { lockAcquireTimeoutMs: maxWaitMs, lockRetryIntervalMs: retryIntervalMs } = env();
  const turns = { atOnce: 1, maxWaiting: MAX_WAITING, maxWaitMs };
  const turn = await takeTurn(name, turns, async (): Promise<PurchaseResult> => {
    const waitedMs = performance.now() - askedAt;
    // A purchase that came too late for the last unit learns that here, without taking the lock.
    const now = waitedMs > STALE_MS ? await look(purchase) : glance;
    if (now.status !== 'fits') return now;
    const nodes = await lockServers();
    const acquireTimeoutMs = Math.max(0, maxWaitMs - waitedMs);
    const options = { ttlMs: TTL_MS, acquireTimeoutMs, retryIntervalMs, nodes };
    const held = await withLock(name, options, (lock) => purchaseWithin(lock, purchase));
    return held.status === 'done' ? held.value : { status: 'busy' };
  });
  return turn.status === 'done' ? turn.value : { status: 'busy' };
}

/**
 * Decides and writes as the holder of `lock`.
 * @param onRead called between reading and writing, so that tests can change things there.
 */
export async function purchaseWithin(
  lock: Pick<Lock, 'fence' | 'remainingMs'>,
  purchase: Purchase,
  onRead?: () => Promise<unknown>,
): Promise<PurchaseResult> {
  for (let reading = 1; reading <= MAX_READINGS; reading += 1) {
    const found = await look(purchase);
    if (found.status !== 'fits') return found;
    // Asked only after the reply arrived, so Redis's time of the reading plus this never reaches past the end of the
    // lock.
    const validMs = lock.remainingMs();
    await onRead?.();
    const reply = await write(lock.fence, validMs, purchase, found.situation);
    switch (reply[0]) {
      case 'written':
        return { status: 'accepted', orderNo: purchase.orderNo, acceptedAt: replyNumber(SCRIPT, reply, 1) };
      case 'changed':
        continue;
      case 'fenced':
      case 'too_late':
        return { status: 'busy' };
      default:
        throw unknownReply(SCRIPT, reply);
    }
  }
  return { status: 'busy' };
}

type Look = { status: 'fits'; situation: SeenSituation } | PurchaseResult;

async function look(purchase: Purchase): Promise<Look> {
  const situation = await readSituation(purchase.saleId, purchase.userId);
  if (!situation) return { status: 'unknown_sale' };
  if (situation.epoch !== purchase.epoch) return { status: 'stale_epoch' };
  const decision = decidePurchase(situation, purchase);
  return decision.status === 'fits' ? { status: 'fits', situation } : decision;
}

/** Writes the decision. @param validMs how long the lock was certainly still held after the situation was read. */
function write(
  fence: number,
  validMs: number,
  purchase: Purchase,
  { seen, record, serverTime, endsAt, total, available, held }: SeenSituation,
): Promise<string[]> {
  const { saleId, userId, quantity, epoch } = purchase;
  const deadline = Math.min(endsAt, serverTime + Math.floor(validMs));
  const left = total === UNLIMITED ? UNLIMITED : available - quantity;
  return runStockScript(
    SCRIPT,
    [keys.sale(saleId), keys.buyers(saleId), keys.outbox(saleId)],
    [fence, deadline, seen, record, userId, formatBought(purchase), epoch, left, held + quantity],
  );
}
