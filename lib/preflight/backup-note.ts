import 'server-only';
import { recordAction } from '@/lib/audit/record-action';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';

const ACTION = 'backup.write';
/** A backup is a file with everything in it, so the audit log names it as it names exports. */
const SUBJECT = { kind: 'export', id: 'backup' };

/** Notes in the audit log that a backup was written. @param takenAt the moment that it shows, ISO 8601 */
export const noteBackup = (takenAt: string): Promise<void> =>
  transaction((tx) =>
    recordAction(
      tx,
      { userId: 'system', role: 'system' },
      { action: ACTION, subject: SUBJECT, before: null, after: { takenAt } },
    ),
  );

/** Returns when the last backup was written that was noted; null: none was. @throws connection errors */
export async function readLastBackup(): Promise<Date | null> {
  const { id: subjectId, kind: subjectKind } = SUBJECT;
  const entry = await db().auditEntry.findFirst({
    where: { subjectId, subjectKind, action: ACTION },
    orderBy: { id: 'desc' },
  });
  return entry?.at ?? null;
}
