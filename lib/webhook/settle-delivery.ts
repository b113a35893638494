import 'server-only';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { log } from '@/lib/http/log';
import type { ClaimedDelivery } from './claim-deliveries';
import type { Posted } from './post-event';
import { retryWaitMs } from './retry-wait';

const GONE = 410;
/** The receiver asks for a pause. */
const PAUSES = new Set([429, 503]);
/** How long a webhook that does not answer is left alone, s. */
const REST_SEC = 10;
const FAILS_FOR_DAYS = 3;

/**
 * Notes how an attempt ended. One that failed is retried for a day, with growing waits. The answer 410 turns the webhook
 * off, and so do three days in which nothing arrived.
 * @returns whether the webhook may be asked again at once
 */
export async function settleDelivery(
  webhookId: string,
  { id, attempts, ageMs }: ClaimedDelivery,
  { isTaken, status, error }: Posted,
): Promise<boolean> {
  if (isTaken) {
    await db().$executeRaw`
      WITH sent AS (
        UPDATE webhook_deliveries SET status = 'sent', last_status = ${status}::int, last_error = NULL, last_at = now()
        WHERE id = ${id})
      UPDATE webhook_endpoints SET failing_since = NULL, rest_until = NULL
      WHERE id = ${webhookId} AND (failing_since IS NOT NULL OR rest_until IS NOT NULL)`;
    return true;
  }
  const waitMs = status === GONE ? null : retryWaitMs(attempts, ageMs);
  const mustRest = status === null || PAUSES.has(status);
  const off = await transaction(async (tx) => {
    await tx.$executeRaw`
      UPDATE webhook_deliveries
      SET status = ${waitMs === null ? 'failed' : 'waiting'}, last_status = ${status}::int, last_error = ${error},
          last_at = now(), next_at = now() + make_interval(secs => ${(waitMs ?? 0) / 1_000}::float8)
      WHERE id = ${id} AND status = 'waiting'`;
    const [row] = await tx.$queryRaw<{ disabledWhy: string | null; shopId: string }[]>`
      UPDATE webhook_endpoints
      SET failing_since = coalesce(failing_since, now()),
          rest_until = CASE WHEN ${mustRest} THEN now() + make_interval(secs => ${REST_SEC}::int) ELSE rest_until END,
          disabled_at = CASE WHEN ${status === GONE}
                               OR failing_since < now() - make_interval(days => ${FAILS_FOR_DAYS}::int) THEN now() END,
          disabled_why = CASE WHEN ${status === GONE} THEN 'gone'
                              WHEN failing_since < now() - make_interval(days => ${FAILS_FOR_DAYS}::int) THEN 'failing' END
      WHERE id = ${webhookId} AND disabled_at IS NULL
      RETURNING disabled_why AS "disabledWhy", shop_id AS "shopId"`;
    return row;
  });
  if (off?.disabledWhy) log.warn({ webhookId, ...off }, 'webhook turned off');
  return !mustRest && off !== undefined && off.disabledWhy === null;
}
