import 'server-only';
import { db } from '@/lib/db/client';

/** A shopper who was sent to the provider usually has paid by then, ms; later the provider is asked. */
const FIRST_QUERY_AFTER_SEC = 30;

/** Notes that the shopper was sent to the provider: from now on its callback may be late. */
export async function markOpened(paymentId: string): Promise<void> {
  await db().$executeRaw`
    UPDATE payments
    SET opened_at = now(), queries = 0, next_query_at = now() + make_interval(secs => ${FIRST_QUERY_AFTER_SEC}::int)
    WHERE id = ${paymentId} AND status IN ('pending', 'failed')`;
}
