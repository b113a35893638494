import { execute } from './database';

type Money = { amountMinor: number; currency: string };

/**
 * Makes the sandbox take money, as on its page, but without a callback: for tests that send callbacks themselves. The product,
 * which would ask the sandbox half a minute after the payment was opened, asks later.
 */
export async function takeMoney(
  paymentId: string,
  { amountMinor = 4200, currency = 'EUR' }: Partial<Money> = {},
): Promise<void> {
  await execute("UPDATE payments SET next_query_at = next_query_at + interval '10 minutes' WHERE id = $1", [
    paymentId,
  ]);
  await execute(
    `INSERT INTO sandbox_payments (payment_id, outcome, amount_minor, currency) VALUES ($1, 'succeeded', $2, $3)
     ON CONFLICT (payment_id) DO UPDATE SET outcome = 'succeeded', amount_minor = excluded.amount_minor, currency = excluded.currency`,
    [paymentId, amountMinor, currency],
  );
}

/** Returns what the sandbox has refunded of a payment; null while it holds the money, or never had any. */
export async function sentBack(paymentId: string): Promise<Money | null> {
  const [row] = await execute(
    `SELECT amount_minor AS "amountMinor", currency FROM sandbox_payments
     WHERE payment_id = $1 AND refunded_at IS NOT NULL`,
    [paymentId],
  );
  return row ? (row as Money) : null;
}
