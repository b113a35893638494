import 'server-only';
import { applyReadings } from '@/lib/alert/apply-readings';
import { claimEvaluation, markApplied } from '@/lib/alert/claim-evaluation';
import { transaction } from '@/lib/db/transaction';
import { log } from '@/lib/http/log';
import { putMessages } from '@/lib/outbox/put-message';
import { readFigures } from '@/lib/watch/read-figures';
import { messagesFor } from './messages-for';
import { readingsOf } from './readings-of';

type Evaluated = { status: 'not_due' | 'overtaken' } | { status: 'evaluated'; told: number };

/**
 * Judges every alert rule if no worker has done so for 15 s. In the same transaction it queues the messages about
 * alerts that began or ended, so each is told once. Changes nothing if the readings of a later round have been applied
 * in the meantime.
 */
export async function evaluateAlerts(): Promise<Evaluated> {
  const at = await claimEvaluation();
  if (!at) return { status: 'not_due' };
  const found = readingsOf(await readFigures());
  const changes = await transaction(async (tx) => {
    if (!(await markApplied(tx, at))) return null;
    const applied = await applyReadings(tx, { ...found, at });
    await putMessages(tx, messagesFor(applied));
    return applied;
  });
  if (!changes) {
    log.warn({ claimedAt: at }, 'a later round of alerts was applied first');
    return { status: 'overtaken' };
  }
  for (const { kind, alert } of changes) {
    const { id, rule, subject, saleId, value, threshold } = alert;
    log.warn({ alertId: id, rule, subject, saleId, value, threshold }, `alert ${kind}`);
  }
  return { status: 'evaluated', told: changes.length };
}
