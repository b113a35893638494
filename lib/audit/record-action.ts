import 'server-only';
import type { Role } from '@/lib/contract/words/roles';
import type { Db } from '@/lib/db/client';
import { NotAllowedError } from '@/lib/errors/not-allowed-error';
import { lacksFactor } from '@/lib/lacks-factor';
import { hashEntry } from './hash-entry';

/**
 * The actor: a user, or `system` if it was nobody in the admin area. An action with a `session` counts only if its right still
 * lasts. Leave the session out where the action itself ends it, and where the action can't be undone any more.
 */
export type AuditActor = { userId: string; role: string; session?: { id: string } };

type NewAction = {
  /** The action, as noun.verb: `sale.pause`, `order.refund`, `user.edit`. */
  action: string;
  subject: { kind: string; id: string };
  /**
   * Only the fields that the action changes, as JSON; never secrets. Null: the thing did not exist before, or does
   * not exist after.
   */
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  /** The actor's own words, if they were asked for. */
  reason?: string;
};

/**
 * Appends one action to the audit log, in the transaction that makes the change: both are stored or neither. Each
 * entry carries the hash of the one before, so changing, removing or inserting an entry shows. Call it last in the
 * transaction: from here to the commit no other action can be recorded.
 * @throws NotAllowedError if the actor's session has ended, or lacks the second factor. What takes a right away is an entry, too:
 *   so an action is before that entry and done, or after it and not done.
 */
export function recordAction(tx: Db, actor: AuditActor, action: NewAction): Promise<void> {
  return recordActions(tx, [{ ...action, actor }]);
}

/** Appends several actions in their order; locks the log once. @throws NotAllowedError */
export async function recordActions(
  tx: Db,
  actions: readonly (NewAction & { actor: AuditActor })[],
): Promise<void> {
  if (actions.length === 0) return;
  const [head] = await tx.$queryRaw<Head[]>`SELECT id, hash FROM audit_head FOR NO KEY UPDATE`;
  if (!head) throw new Error('the audit log has lost its head');
  // A statement of its own, after the one that waited for the lock: it sees what was committed during the wait.
  for (const actor of new Set(actions.map((action) => action.actor))) await demandRight(tx, actor);
  const at = new Date();
  let { id, hash } = head;
  const entries = actions.map(({ actor, action, subject, before, after, reason = null }) => {
    id += 1n;
    const entry = {
      id,
      at,
      // Drops what JSON and Postgres can't hold, so that the hash doesn't cover it either.
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

/**
 * Throws if the actor has lost the right to act. `recordAction` asks at the end; asking before a step that can't be rolled back
 * saves that step. @throws NotAllowedError
 */
export async function demandRight(tx: Db, { session }: AuditActor): Promise<void> {
  if (!session) return;
  const [user] = await tx.$queryRaw<{ role: Role; hasSecondFactor: boolean }[]>`
    SELECT u.role, u.second_factor_at IS NOT NULL AS "hasSecondFactor"
    FROM sessions s JOIN users u ON u.id = s.user_id AND u.session_version = s.session_version
    WHERE s.id = ${session.id} AND s.ended_at IS NULL AND u.banned_at IS NULL`;
  if (!user) throw new NotAllowedError('UNAUTHENTICATED');
  if (lacksFactor(user)) throw new NotAllowedError('SECOND_FACTOR_REQUIRED');
}

/** Turns an entry into a form that JSON can carry; the time is the same for all. */
const toRow = ({ id, at: _at, ...rest }: { id: bigint; at: Date }) => ({ ...rest, id: String(id) });

/** Makes a value equal to what will be read back: JSON only, and no halves of characters. */
const plain = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === 'string' ? inner.toWellFormed() : inner)));
