import 'server-only';
import type { Db } from '@/lib/db/client';
import { hashEntry } from './hash-entry';

/** Who did it: a user, or nobody in the admin area (`system`). */
export type AuditActor = { userId: string; role: string };

type NewAction = {
  /** What was done, as noun.verb: `sale.pause`, `order.refund`, `user.change_role`. */
  action: string;
  subject: { kind: string; id: string };
  /** Only what the action changes, as JSON; never secrets. Null: there was nothing before, or is nothing after. */
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  /** The actor's own words, where they were asked for. */
  reason?: string;
};

/**
 * Appends one action to the audit log, in the transaction of what it records: both are there or neither. Each entry
 * carries the hash of the one before, so that nothing can be changed, taken out or put in unseen. Call it last in the
 * transaction: from here to the commit no other action can be recorded.
 */
export function recordAction(tx: Db, actor: AuditActor, action: NewAction): Promise<void> {
  return recordActions(tx, [{ ...action, actor }]);
}

/** The same for several actions, in their order: the log is locked once. */
export async function recordActions(
  tx: Db,
  actions: readonly (NewAction & { actor: AuditActor })[],
): Promise<void> {
  if (actions.length === 0) return;
  const [head] = await tx.$queryRaw<Head[]>`SELECT id, hash FROM audit_head FOR NO KEY UPDATE`;
  if (!head) throw new Error('the audit log has lost its head');
  const at = new Date();
  let { id, hash } = head;
  const entries = actions.map(({ actor, action, subject, before, after, reason = null }) => {
    id += 1n;
    const entry = {
      id,
      at,
      // What JSON and Postgres can't hold must not be hashed either.
      ...plain({
        actorId: actor.userId,
        actorRole: actor.role,
        action,
        subjectKind: subject.kind,
        subjectId: subject.id,
        before,
        after,
        reason,
      }),
      previousHash: hash,
    };
    hash = hashEntry(entry);
    return { ...entry, hash };
  });
  const texts = (values: readonly Record<string, unknown>[]) => JSON.stringify(values);
  await tx.$executeRaw`
    WITH moved AS (UPDATE audit_head SET id = ${id}, hash = ${hash})
    INSERT INTO audit_entries (id, at, actor_id, actor_role, action, subject_kind, subject_id, before, after, reason,
                               previous_hash, hash)
    SELECT id, ${at}, "actorId", "actorRole", action, "subjectKind", "subjectId", nullif(before, 'null'),
           nullif(after, 'null'), reason, "previousHash", hash
    FROM jsonb_to_recordset(${texts(entries.map(toRow))}::jsonb)
      AS r (id bigint, "actorId" text, "actorRole" text, action text, "subjectKind" text, "subjectId" text,
            before jsonb, after jsonb, reason text, "previousHash" text, hash text)`;
}

type Head = { id: bigint; hash: string };

/** As JSON can carry it; the time is the same for all. */
const toRow = ({ id, at: _at, ...rest }: { id: bigint; at: Date }) => ({ ...rest, id: String(id) });

/** As it will be read again: JSON only, and no halves of characters. */
const plain = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === 'string' ? inner.toWellFormed() : inner)));
