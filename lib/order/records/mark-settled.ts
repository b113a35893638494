import 'server-only';
import { db } from '@/lib/db/client';

/**
 * Notes that the outcome of these orders has reached the stock in Redis. Idempotent. Skips orders that do not have
 * that outcome, or no longer: Redis got another outcome than theirs.
 */
export async function markSettled(
  orderNos: readonly string[],
  outcome: readonly ('paid' | 'cancelled' | 'failed' | 'refunded')[],
): Promise<void> {
  if (orderNos.length === 0) return;
  await db().$executeRaw`SELECT settle_orders(${[...orderNos]}::text[]::bigint[], ${[...outcome]}::text[])`;
}
