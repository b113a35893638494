import 'server-only';
import type { PaymentOutcome } from '@/lib/contract/words/payment';
import type { Db } from '@/lib/db/client';
import type { PaymentEvent } from './types';

/** Says whether a callback was recorded before. */
export async function isCallbackRecorded(tx: Db, provider: string, webhookId: string): Promise<boolean> {
  const where = { provider_webhookId: { provider, webhookId } };
  return (await tx.paymentEvent.findUnique({ where, select: { type: true } })) !== null;
}

/** Records a callback and what it led to. @returns false if it was recorded before. */
export async function recordCallback(
  tx: Db,
  provider: string,
  event: PaymentEvent,
  outcome: PaymentOutcome,
): Promise<boolean> {
  const paymentId = outcome === 'unknown_payment' ? null : event.paymentId || null;
  const rows = await tx.$executeRaw`
    INSERT INTO payment_events (provider, webhook_id, payment_id, type, payload, outcome)
    VALUES (${provider}, ${event.webhookId}, ${paymentId}, ${event.type}, ${JSON.stringify(event.payload)}::jsonb, ${outcome})
    ON CONFLICT DO NOTHING`;
  return rows === 1;
}
