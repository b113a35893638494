import 'server-only';
import { db } from '@/lib/db/client';
import { openWebhookSecret } from './webhook-secret';

/** How long no other worker may take a claimed delivery, s. */
const CLAIM_SEC = 60;

export type ClaimedDelivery = { id: bigint; eventId: string; body: string; attempts: number; ageMs: number };

/**
 * Finds webhooks that have something due and may be asked now. Goes from one to the next in the index, so its cost
 * follows the number of webhooks with something waiting, not that of deliveries.
 * @param except those that are being served
 */
export async function findDueWebhooks(except: readonly string[], limit: number): Promise<string[]> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    WITH RECURSIVE waiting AS (
      (SELECT endpoint_id FROM webhook_deliveries WHERE status = 'waiting' ORDER BY endpoint_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.endpoint_id FROM webhook_deliveries d
              WHERE d.status = 'waiting' AND d.endpoint_id > w.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
      FROM waiting w WHERE w.endpoint_id IS NOT NULL
    )
    SELECT e.id FROM waiting w JOIN webhook_endpoints e ON e.id = w.endpoint_id
    CROSS JOIN LATERAL (SELECT d.next_at FROM webhook_deliveries d
                        WHERE d.endpoint_id = e.id AND d.status = 'waiting' ORDER BY d.next_at LIMIT 1) AS first
    WHERE e.disabled_at IS NULL AND coalesce(e.rest_until <= now(), true) AND e.id <> ALL (${[...except]}::text[])
      AND first.next_at <= now()::timestamptz(3)
    ORDER BY first.next_at LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/**
 * Claims deliveries of a webhook that are due. Each claim counts as an attempt, so that one that kills its worker is
 * bounded too; a killed worker's come again after 60 s.
 * @returns null while the webhook is off, rests, or its secret can't be opened; `secrets` newest first
 */
export async function claimDeliveries(webhookId: string, limit: number) {
  const webhook = await db().webhookEndpoint.findUnique({ where: { id: webhookId } });
  if (!webhook || webhook.disabledAt || (webhook.restUntil && webhook.restUntil > new Date())) return null;
  const secret = openWebhookSecret(webhookId, webhook);
  if (secret === null) return null;
  const { oldSealedSecret, oldKeyMark, oldUntil } = webhook;
  const signsAlong = oldSealedSecret && oldKeyMark && oldUntil && oldUntil > new Date();
  const old = signsAlong
    ? openWebhookSecret(webhookId, { sealedSecret: oldSealedSecret, keyMark: oldKeyMark })
    : null;
  const deliveries = await db().$queryRaw<ClaimedDelivery[]>`
    UPDATE webhook_deliveries
    SET attempts = attempts + 1, next_at = now() + make_interval(secs => ${CLAIM_SEC}::int)
    WHERE id IN (SELECT id FROM webhook_deliveries
                 WHERE endpoint_id = ${webhookId} AND status = 'waiting' AND next_at <= now()::timestamptz(3)
                 ORDER BY next_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING id, event_id AS "eventId", body, attempts,
              (extract(epoch FROM now() - due_at) * 1000)::float8 AS "ageMs"`;
  deliveries.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { url: webhook.url, secrets: old === null ? [secret] : [secret, old], deliveries };
}

/** Gives claimed deliveries back as if they had not been taken. */
export async function unclaimDeliveries(ids: readonly bigint[]): Promise<void> {
  if (ids.length === 0) return;
  await db().$executeRaw`
    UPDATE webhook_deliveries SET attempts = greatest(attempts - 1, 0), next_at = now()
    WHERE id = ANY (${ids.map(String)}::text[]::bigint[]) AND status = 'waiting'`;
}
