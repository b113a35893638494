import 'server-only';
import { transaction } from '@/lib/db/transaction';
import { type AuditActor, recordAction } from './record-action';

/**
 * Records that staff look at a person, before anything is shown: a look that can't be recorded doesn't happen.
 * @param action `person.read`: all of it; `person.trace`: the attempts in one sale; `person.address`: where an order goes
 */
export function recordLook(
  actor: AuditActor,
  action: 'person.read' | 'person.trace' | 'person.address',
  userId: string,
  at: { saleId: string } | { orderNo: string } | null = null,
): Promise<void> {
  return transaction((tx) =>
    recordAction(tx, actor, { action, subject: { kind: 'user', id: userId }, before: null, after: at }),
  );
}
