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

/** Serialises writers of the chain; the number means nothing but this. */
const CHAIN_LOCK = 7_210_014;
const FIRST_HASH = '0'.repeat(64);

/**
 * Appends one action to the audit log, in the transaction of what it records: both are there or neither. Each entry
 * carries the hash of the one before, so that nothing can be changed, taken out or put in unseen. Call it last in the
 * transaction: from here to the commit no other action can be recorded.
 */
export async function recordAction(tx: Db, actor: AuditActor, action: NewAction): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${CHAIN_LOCK})`;
  const last = await tx.auditEntry.findFirst({ orderBy: { id: 'desc' }, select: { id: true, hash: true } });
  const entry = {
    id: (last?.id ?? 0n) + 1n,
    at: new Date(),
    actorId: actor.userId,
    actorRole: actor.role,
    action: action.action,
    subjectKind: action.subject.kind,
    subjectId: action.subject.id,
    // What JSON can't hold must not be hashed either.
    before: plain(action.before),
    after: plain(action.after),
    reason: action.reason ?? null,
    previousHash: last?.hash ?? FIRST_HASH,
  };
  await tx.$executeRaw`
    INSERT INTO audit_entries (id, at, actor_id, actor_role, action, subject_kind, subject_id, before, after, reason,
                               previous_hash, hash)
    VALUES (${entry.id}, ${entry.at}, ${entry.actorId}, ${entry.actorRole}, ${entry.action}, ${entry.subjectKind},
            ${entry.subjectId}, ${text(entry.before)}::jsonb, ${text(entry.after)}::jsonb, ${entry.reason},
            ${entry.previousHash}, ${hashEntry(entry)})`;
}

const plain = (value: Record<string, unknown> | null): Record<string, unknown> | null =>
  value === null ? null : JSON.parse(JSON.stringify(value));

const text = (value: Record<string, unknown> | null): string | null =>
  value === null ? null : JSON.stringify(value);
