import 'server-only';
import type { LogHead } from '@/lib/contract/shapes/decision-log';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { env } from '@/lib/env';
import { putMessage } from '@/lib/outbox/put-message';
import { lockLog } from './append-batches';
import { headText } from './proof/head-text';
import type { SigningKey } from './signing-key';
import { LogTiles } from './tiles';

/** Between two heads of a sale; a little less than a second, so that one comes every second. */
const BETWEEN_MS = 900;

/**
 * Signs and publishes the present state of a sale's log, and queues it for `LOG_WEBHOOK_URL`, in one transaction. Signs
 * nothing if nothing has come since the last head, or if that was less than a second ago.
 * @param isFinal the sale is over and nobody can still pay: signed once, also if no leaf has come since
 */
export function signHead(saleId: string, key: SigningKey, isFinal = false): Promise<LogHead | null> {
  return transaction(async (tx) => {
    const log = await lockLog(tx, saleId);
    if (!log || log.size === 0n) return null;
    const hasNews = log.size > log.signedSize;
    if (!hasNews && (!isFinal || log.finalAt)) return null;
    const lastMs = log.signedAt?.getTime() ?? 0;
    const now = Date.now();
    // A clock that was set back, by however much, holds up no head.
    if (!isFinal && Math.abs(now - lastMs) < BETWEEN_MS) return null;
    // Never before the last head, whatever this machine's clock says.
    const at = Math.max(now, lastMs);
    const size = Number(log.size);
    const root = await new LogTiles(tx, saleId).root(size);
    const fields = {
      v: 1 as const,
      sale: saleId,
      size,
      root: root.toString('base64url'),
      at,
      keyId: key.id,
      final: isFinal,
    };
    const head = { ...fields, signature: key.sign(headText(fields)) };
    await store(tx, head, key);
    if (env().logWebhook) await putMessage(tx, 'log-head', { head: JSON.stringify(head) });
    return head;
  });
}

async function store(tx: Db, head: LogHead, key: SigningKey): Promise<void> {
  const at = new Date(head.at);
  await tx.$executeRaw`
    INSERT INTO log_keys (id, public_key) VALUES (${key.id}, ${key.publicKey}) ON CONFLICT DO NOTHING`;
  await tx.$executeRaw`
    INSERT INTO decision_heads (sale_id, size, is_final, root, at, key_id, signature)
    VALUES (${head.sale}, ${head.size}::bigint, ${head.final}, ${head.root}, ${at}, ${key.id}, ${head.signature})`;
  await tx.$executeRaw`
    UPDATE decision_logs
    SET signed_size = ${head.size}::bigint, signed_at = ${at}, final_at = ${head.final ? at : null}::timestamptz
    WHERE sale_id = ${head.sale}`;
}
