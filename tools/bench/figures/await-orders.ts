import { db } from '@/lib/db/client';

const POLL_MS = 20;

type OrdersWritten = {
  written: number;
  /** Epoch ms at which the first and the last orders were seen. */
  firstAtMs: number;
  lastAtMs: number;
  /** How many orders the first look found; they are not part of the rate. */
  firstCount: number;
};

/**
 * Waits for a sale's orders, one unit each and none of them ended, to arrive in Postgres until there are `expected`,
 * or `timeoutMs` have passed. Watches the sale's held units, which every transaction that writes orders counts up.
 * Counting the orders each time would be work for the Postgres that is being measured.
 * @throws when in the end the number of orders differs from that of the units.
 */
export async function awaitOrders(
  saleId: string,
  expected: number,
  timeoutMs: number,
): Promise<OrdersWritten> {
  const deadline = Date.now() + timeoutMs;
  const seen: OrdersWritten = { written: 0, firstAtMs: 0, lastAtMs: 0, firstCount: 0 };
  while (seen.written < expected && Date.now() < deadline) {
    const { heldStock } = await db().sale.findUniqueOrThrow({
      where: { id: saleId },
      select: { heldStock: true },
    });
    if (heldStock > seen.written) {
      seen.lastAtMs = Date.now();
      if (seen.written === 0) {
        seen.firstAtMs = seen.lastAtMs;
        seen.firstCount = heldStock;
      }
      seen.written = heldStock;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  if (seen.written < expected) return seen;
  const orders = await db().order.count({ where: { saleId, status: 'pending_payment' } });
  if (orders !== seen.written) throw new Error(`${seen.written} units are held by ${orders} orders`);
  return seen;
}
