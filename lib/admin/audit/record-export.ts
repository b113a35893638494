import 'server-only';
import { recordAction } from '@/lib/audit/record-action';
import { transaction } from '@/lib/db/transaction';
import type { Actor } from '../actor';

/** What can be taken away as a file; each has personal data. */
type Exported = 'orders' | 'audit' | 'blocks';

/**
 * Records that somebody takes data away as a file, before the first piece of it is given: what can't be recorded is not given.
 * @param filter what was asked for; what was left out is not recorded
 */
export function recordExport({ userId, role }: Actor, of: Exported, filter: object): Promise<void> {
  const asked = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
  return transaction((tx) =>
    recordAction(
      tx,
      { userId, role },
      { action: 'export.download', subject: { kind: 'export', id: of }, before: null, after: asked },
    ),
  );
}
