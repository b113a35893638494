import 'server-only';
import { type Actor, mayWorkOn } from '@/lib/actor/actor';
import { acknowledgeAlert, findAlert } from '@/lib/alert/acknowledge-alert';
import { recordAction } from '@/lib/audit/record-action';
import type { AdminAlert } from '@/lib/contract/shapes/alert';
import { transaction } from '@/lib/db/transaction';
import { withNames } from './list-admin-alerts';

/**
 * Acknowledges an alert. Operators may acknowledge any, merchants those about their shops' sales. Calling it again
 * changes nothing.
 * @returns null if the alert is pending, or there is none that the actor may acknowledge.
 * @throws NotAllowedError as `mayWorkOn`
 */
export async function acknowledgeAdminAlert(
  actor: Actor,
  id: string,
  note: string | undefined,
): Promise<AdminAlert | null> {
  const alert = await findAlert(id);
  if (!alert || alert.state === 'pending') return null;
  const now = await transaction(async (tx) => {
    if (!(await mayWorkOn(actor, alert.saleId, tx))) return null;
    const isFirst = await acknowledgeAlert(tx, id, actor.userId, note);
    if (isFirst) {
      const { rule, subject } = alert;
      const after = { rule, subject, note: note || null };
      const action = { action: 'alert.acknowledge', subject: { kind: 'alert', id }, before: null, after };
      await recordAction(tx, actor, action);
    }
    return findAlert(id, tx);
  });
  return now && ((await withNames([now]))[0] ?? null);
}
