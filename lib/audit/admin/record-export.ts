import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import { transaction } from '@/lib/db/transaction';

/** The data that can be exported as a file; each has personal data. */
type Exported = 'orders' | 'parcels' | 'audit' | 'blocks';

/**
 * Records that a person exports data, before the first piece is sent: an export that can't be recorded doesn't
 * happen.
 * @param filter the filter asked for; fields that were left out are not recorded
 */
export function recordExport(actor: Actor, of: Exported, filter: object): Promise<void> {
  const asked = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
  return transaction((tx) =>
    recordAction(tx, actor, {
      action: 'export.download',
      subject: { kind: 'export', id: of },
      before: null,
      after: asked,
    }),
  );
}
