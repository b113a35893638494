import 'server-only';
import type { Db } from '@/lib/db/client';
import { hashEntry } from './hash-entry';

/** Who did it: a user, or nobody at the desk (`system`). */
export type AuditActor = { userId: string; role: string };

export type NewAction = {
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
export async function recordAction(tx: Db, actor: AuditActor, action: NewAction): Promise<void> {
  const [head] = await tx.$queryRaw<Head[]>`SELECT id, hash FROM audit_head FOR NO KEY UPDATE`;
  if (!head) throw new Error('the audit log has lost its head');
  const entry = {
    id: head.id + 1n,
    at: new Date(),
    // What JSON and Postgres can't hold must not be hashed either.
    ...plain({
      actorId: actor.userId,
      actorRole: actor.role,
      action: action.action,
      subjectKind: action.subject.kind,
      subjectId: action.subject.id,
      before: action.before,
      after: action.after,
      reason: action.reason ?? null,
    }),
    previousHash: head.hash,
  };
  const hash = hashEntry(entry);
  await tx.$executeRaw`
    WITH moved AS (UPDATE audit_head SET id = ${entry.id}, hash = ${hash})
    INSERT INTO audit_entries (id, at, actor_id, actor_role, action, subject_kind, subject_id, before, after, reason,
                               previous_hash, hash)
    VALUES (${entry.id}, ${entry.at}, ${entry.actorId}, ${entry.actorRole}, ${entry.action}, ${entry.subjectKind},
            ${entry.subjectId}, ${text(entry.before)}::jsonb, ${text(entry.after)}::jsonb, ${entry.reason},
            ${entry.previousHash}, ${hash})`;
}

type Head = { id: bigint; hash: string };

/** As it will be read again: JSON only, and no halves of characters. */
const plain = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === 'string' ? inner.toWellFormed() : inner)));

const text = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
