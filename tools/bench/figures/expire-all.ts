import { setTimeout as delay } from 'node:timers/promises';
import { inngest } from '@/inngest/client';
import { dueTimers, ringFor } from '@/inngest/functions/due-timers';
import { db } from '@/lib/db/client';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** Timers ring at full half seconds. */
const STEP_MS = 500;
const LOOK_EVERY_MS = 100;

/**
 * Moves the deadline of all unpaid orders of a sale to one moment, `inMs` from now or up to half a second later, and
 * sets its timer as `create-orders` would have. They count as reminded, which happens long before a deadline.
 * @returns the deadline, epoch ms.
 */
export async function makeDue(saleId: string, inMs: number): Promise<number> {
  const dueAt = Math.ceil((Date.now() + inMs) / STEP_MS) * STEP_MS;
  await db().$executeRaw`
    UPDATE orders SET pay_by = to_timestamp(${dueAt}::float8 / 1000), reminded_at = now()
    WHERE sale_id = ${saleId} AND status = 'pending_payment'`;
  await inngest().send(dueTimers([ringFor(saleId, dueAt)]));
  if (Date.now() >= dueAt) throw new Error('the deadline passed before all orders had it');
  return dueAt;
}

type Released = {
  /** When the last unit was for sale again, epoch ms; Infinity if it never was in the time given. */
  inPostgresAt: number;
  inRedisAt: number;
  /** Units that Redis still holds. */
  left: number;
};

/** Waits until none of a sale's units is held, in Postgres and in Redis, or until `untilMs` (epoch ms). */
export async function awaitReleased(saleId: string, untilMs: number): Promise<Released> {
  const never = Number.POSITIVE_INFINITY;
  const seen: Released = { inPostgresAt: never, inRedisAt: never, left: 0 };
  for (;;) {
    const { heldStock } = await db().sale.findUniqueOrThrow({
      where: { id: saleId },
      select: { heldStock: true },
    });
    if (heldStock === 0) seen.inPostgresAt = Math.min(seen.inPostgresAt, Date.now());
    seen.left = Number(await stockRedis().hget(keys.sale(saleId), 'held'));
    if (seen.left === 0) seen.inRedisAt = Math.min(seen.inRedisAt, Date.now());
    const isOver = seen.inPostgresAt !== never && seen.inRedisAt !== never;
    if (isOver || Date.now() > untilMs) return seen;
    await delay(LOOK_EVERY_MS);
  }
}

/** Waits until the purchases of a sale have all become orders. @throws when that takes longer than `timeoutMs` */
export async function awaitWritten(saleId: string, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const waiting = await stockRedis().xlen(keys.outbox(saleId));
    if (waiting === 0) return;
    if (Date.now() > deadline) throw new Error(`${waiting} purchases have not become orders`);
    await delay(LOOK_EVERY_MS);
  }
}
