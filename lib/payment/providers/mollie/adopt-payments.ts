import 'server-only';
import { db } from '@/lib/db/client';
import { molliePayments } from './open-page';
import { metadataOf, type Payment } from './state-of';

/**
 * Makes payments of this shop known again that a restored database does not know, or knows an earlier try of: Mollie
 * finds nothing by our ids.
 */
export async function adoptPayments(payments: readonly Payment[]): Promise<void> {
  const ours = payments.flatMap((payment) => {
    const metadata = metadataOf(payment);
    return metadata ? [{ payment, ...metadata }] : [];
  });
  const kept = await molliePayments.find(ours.map(({ paymentId }) => paymentId));
  const known = new Set(kept.map(({ pageId }) => pageId));
  for (const { payment, paymentId, attempt } of ours) {
    if (known.has(payment.id)) continue;
    const { id, createdAt, description, redirectUrl = '' } = payment;
    await db().$executeRaw`
      INSERT INTO mollie_payments AS known (payment_id, attempt, title, return_url, mollie_id, created_at)
      VALUES (${paymentId}, ${attempt}, ${description}, ${redirectUrl}, ${id}, ${new Date(createdAt)})
      ON CONFLICT (payment_id) DO UPDATE
      SET attempt = greatest(known.attempt, excluded.attempt), mollie_id = excluded.mollie_id, created_at = excluded.created_at
      WHERE known.attempt < excluded.attempt OR known.mollie_id IS NULL`;
  }
}
