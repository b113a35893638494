import 'server-only';
import { db } from '@/lib/db/client';
import { log } from '@/lib/http/log';
import { appendBatches } from './append-batches';
import { signHead } from './sign-head';
import { type SigningKey, signingKey } from './signing-key';

/** How often workers look for decisions that wait. */
export const PUBLISH_LOGS_EVERY_MS = 500;
/** Other sales get their turn, and a head, after so many decisions of one. */
const MOST_ROUNDS = 10;
/** After its end, purchases of a sale may still be on their way to becoming orders. */
const QUIET_SEC = 30;

/**
 * Appends what waits to the logs of all sales, and signs a head of each log that has grown, or whose sale is over. Any
 * number of workers may do this: a log is one worker's at a time. Does nothing without `LOG_SIGNING_KEY`.
 */
export async function publishLogs(signal?: AbortSignal): Promise<void> {
  const key = signingKey();
  if (!key) return;
  for (const saleId of await salesWithNews()) {
    if (signal?.aborted) return;
    await unlessBroken(saleId, () => publishLog(saleId, key));
  }
  for (const saleId of await salesToEnd()) await unlessBroken(saleId, () => signHead(saleId, key, true));
}

async function publishLog(saleId: string, key: SigningKey): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) if ((await appendBatches(saleId)) === 0) break;
  await signHead(saleId, key);
}

/** One log that can't be continued must not stop the others; `log_heads_late` tells of it. */
async function unlessBroken(saleId: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (err) {
    log.error({ saleId, err }, 'the log of a sale could not be continued');
  }
}

async function salesWithNews(): Promise<string[]> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    SELECT sale_id AS id FROM decision_batches
    UNION SELECT sale_id FROM decision_logs WHERE size > signed_size`;
  return rows.map(({ id }) => id);
}

/** Sales that are over, of which nobody can still pay an order, and whose log has no final head. */
async function salesToEnd(): Promise<string[]> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    SELECT s.id FROM decision_logs l JOIN sales s ON s.id = l.sale_id
    WHERE l.final_at IS NULL AND l.size > 0
      AND least(s.ends_at, s.closed_at) < now() - make_interval(secs => ${QUIET_SEC}::int)
      AND NOT EXISTS (SELECT FROM decision_batches b WHERE b.sale_id = s.id)
      AND NOT EXISTS (SELECT FROM orders o WHERE o.sale_id = s.id AND o.status = 'pending_payment')`;
  return rows.map(({ id }) => id);
}
