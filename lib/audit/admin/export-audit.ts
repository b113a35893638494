import 'server-only';
import type { AuditEntryView, AuditFilter } from '@/lib/contract/shapes/audit';
import { csvLine } from '@/lib/csv';
import { listAudit } from './list-audit';

const PAGE_SIZE = 1_000;

const COLUMNS = [
  'id',
  'at',
  'actor_id',
  'actor_email',
  'actor_role',
  'action',
  'subject_kind',
  'subject_id',
  'before',
  'after',
  'reason',
  'previous_hash',
  'hash',
] as const;

/**
 * Yields the audit log as CSV, newest first, piece by piece as it is read: the memory it needs doesn't grow with the
 * log.
 */
export async function* exportAudit(filter: AuditFilter): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for (let cursor: string | undefined; ; ) {
    const page = await listAudit({ cursor, limit: PAGE_SIZE }, filter);
    if (!page) throw new Error('our own cursor is foreign');
    yield page.entries.map(toCsvLine).join('');
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

/** Times as ISO 8601, UTC; states as JSON. */
function toCsvLine(entry: AuditEntryView): string {
  const json = (value: unknown) => (value === null ? '' : JSON.stringify(value));
  return csvLine([
    entry.id,
    new Date(entry.at).toISOString(),
    entry.actorId,
    entry.actorEmail ?? '',
    entry.actorRole,
    entry.action,
    entry.subjectKind,
    entry.subjectId,
    json(entry.before),
    json(entry.after),
    entry.reason ?? '',
    entry.previousHash,
    entry.hash,
  ]);
}
