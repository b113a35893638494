import { db } from '@/lib/db/client';

const POLL_MS = 20;

export type OrdersWritten = {
  written: number;
  /** Epoch ms at which the first and the last of them were seen. */
  firstAtMs: number;
  lastAtMs: number;
  /** How many the first look found: not part of the rate. */
  firstCount: number;
};

/** Watches the orders of a sale arrive in Postgres until there are `expected`, or `timeoutMs` are over. */
export async function awaitOrders(
  saleId: string,
  expected: number,
  timeoutMs: number,
): Promise<OrdersWritten> {
  const deadline = Date.now() + timeoutMs;
  const seen: OrdersWritten = { written: 0, firstAtMs: 0, lastAtMs: 0, firstCount: 0 };
  while (seen.written < expected && Date.now() < deadline) {
    const [row] = await db().$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM orders WHERE sale_id = ${saleId}`;
    const count = row?.count ?? 0;
    if (count > seen.written) {
      seen.lastAtMs = Date.now();
      if (seen.written === 0) {
        seen.firstAtMs = seen.lastAtMs;
        seen.firstCount = count;
      }
      seen.written = count;
    }
    // Counting is work for Postgres too: the more there is to count, the less often.
    await new Promise((resolve) => setTimeout(resolve, POLL_MS + count / 100));
  }
  return seen;
}
