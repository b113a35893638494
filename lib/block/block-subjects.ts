import 'server-only';
import type { BlockView } from '@/lib/contract/shapes/block';
import type { BlockKind, SubjectProblem } from '@/lib/contract/words/block';
import type { Db } from '@/lib/db/client';
import { cutText } from '@/lib/human-text';
import type { Block as BlockRow } from '@/prisma/generated/client';
import { changeBlocks } from './change-blocks';
import { parseSubject } from './parse-subject';
import { MAX_REASON_LENGTH, toView } from './types';

/** The most subjects in one call. */
export const MAX_BATCH = 10_000;

export type BlockRequest = {
  kind: BlockKind;
  /** User id, device id, address or network. */
  value: string;
  /** Cut off after 500 characters. */
  reason: string;
  /** User id, or `rule:<id>`. */
  by: string;
  /** Epoch ms, later than now; null: until it is lifted. */
  expiresAt: number | null;
};

export type BlockOutcome =
  | { status: 'blocked'; block: BlockView }
  | { status: 'refused'; problem: SubjectProblem | 'in_the_past' };

/** A block that was set or extended; `before` is the earlier one, if any. */
export type BlockChanged = { before: BlockView | null; after: BlockView };

type Parsed = BlockRequest & { key: string };

/**
 * Blocks accounts, addresses or networks, and devices; in force in every process within a second, in this one at
 * once. A subject has one block. Blocking it again extends that, with the new reason and author, if the new one lasts
 * longer, and otherwise changes nothing. So repeating a call is safe.
 *
 * @param requests at most 10,000. Only requests that name nothing valid are refused.
 * @param alongside more work for the transaction; called last in it, with the real changes.
 * @returns one outcome per request, in order.
 * @throws RangeError on more requests.
 */
export async function blockSubjects(
  requests: readonly BlockRequest[],
  nowMs = Date.now(),
  alongside?: (tx: Db, changed: BlockChanged[]) => Promise<void>,
): Promise<BlockOutcome[]> {
  if (requests.length > MAX_BATCH) throw new RangeError(`more than ${MAX_BATCH} blocks at once`);
  const parsed = requests.map((request) => parse(request, nowMs));
  const longest = new Map<string, Parsed>();
  for (const each of parsed) {
    if ('problem' in each) continue;
    const other = longest.get(each.key);
    if (!other || lasts(each) > lasts(other)) longest.set(each.key, each);
  }
  const blocks = [...longest.values()];
  const change = async (tx: Db) => {
    if (!alongside) return write(tx, blocks);
    const before = await findLive(tx, blocks);
    const after = await write(tx, blocks);
    await alongside(tx, changedOf(before, after));
    return after;
  };
  const rows = blocks.length === 0 ? [] : await changeBlocks(change);
  const views = new Map(rows.map((row) => [keyOf(row), toView(row)]));
  return parsed.map((each) => {
    if ('problem' in each) return { status: 'refused', problem: each.problem };
    const block = views.get(each.key);
    if (!block) throw new Error(`${each.key} was blocked and is not there`);
    return { status: 'blocked', block };
  });
}

function parse(request: BlockRequest, nowMs: number): Parsed | { problem: SubjectProblem | 'in_the_past' } {
  const subject = parseSubject(request.kind, request.value);
  if (!subject.ok) return { problem: subject.problem };
  if (request.expiresAt !== null && request.expiresAt <= nowMs) return { problem: 'in_the_past' };
  const { value } = subject;
  return { ...request, value, key: keyOf({ kind: request.kind, value }) };
}

const keyOf = ({ kind, value }: { kind: string; value: string }) => `${kind} ${value}`;
const lasts = ({ expiresAt }: BlockRequest) => expiresAt ?? Number.POSITIVE_INFINITY;

async function write(tx: Db, blocks: Parsed[]): Promise<BlockRow[]> {
  const kinds = blocks.map(({ kind }) => kind);
  const values = blocks.map(({ value }) => value);
  const reasons = blocks.map(({ reason }) => cutText(reason, MAX_REASON_LENGTH));
  const authors = blocks.map(({ by }) => by);
  const expiries = blocks.map(({ expiresAt }) =>
    expiresAt === null ? null : new Date(expiresAt).toISOString(),
  );
  // An expired block stays as it was, and a new one begins.
  await tx.$executeRaw`
    UPDATE blocks b SET lifted_at = b.expires_at, change = nextval('blocks_change_seq')
    FROM unnest(${kinds}::text[], ${values}::text[]) AS given (kind, value)
    WHERE b.kind = given.kind AND b.value = given.value AND b.lifted_at IS NULL AND b.expires_at <= now()`;
  await tx.$executeRaw`
    INSERT INTO blocks AS b (kind, value, reason, blocked_by, expires_at)
    SELECT * FROM unnest(${kinds}::text[], ${values}::text[], ${reasons}::text[], ${authors}::text[], ${expiries}::timestamptz[])
    ON CONFLICT (kind, value) WHERE lifted_at IS NULL DO UPDATE
    SET expires_at = EXCLUDED.expires_at, reason = EXCLUDED.reason, blocked_by = EXCLUDED.blocked_by, change = EXCLUDED.change
    WHERE b.expires_at < COALESCE(EXCLUDED.expires_at, 'infinity')`;
  return findLive(tx, blocks);
}

const findLive = (tx: Db, blocks: Parsed[]): Promise<BlockRow[]> =>
  tx.block.findMany({
    where: {
      liftedAt: null,
      OR: [...new Set(blocks.map(({ kind }) => kind))].map((kind) => ({
        kind,
        value: { in: blocks.filter((block) => block.kind === kind).map(({ value }) => value) },
      })),
    },
  });

function changedOf(before: BlockRow[], after: BlockRow[]): BlockChanged[] {
  const known = new Map(before.map((row) => [row.id, row]));
  return after.flatMap((row) => {
    const old = known.get(row.id);
    return old?.change === row.change ? [] : [{ before: old ? toView(old) : null, after: toView(row) }];
  });
}
