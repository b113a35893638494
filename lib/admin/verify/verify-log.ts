import 'server-only';
import type { Leaf, LogHead } from '@/lib/contract/shapes/decision-log';
import { type Db, db } from '@/lib/db/client';
import { fromBase64url, isSame, utf8 } from '@/lib/decision-log/proof/bytes';
import { checkHead } from '@/lib/decision-log/proof/check-head';
import { leafInput, RootBuilder } from '@/lib/decision-log/proof/merkle';
import { nodeSha256 } from '@/lib/decision-log/pseudonym';
import { toHead } from '@/lib/decision-log/read-heads';
import { LogTiles } from '@/lib/decision-log/tiles';
import { limitMs } from '@/lib/time-limits';
import { compareOrders, type LoggedOrders } from './compare-logged-orders';

const BATCH_SIZE = 2_000;
/** Further faults are only counted. */
const MOST_NAMED = 5;

export type LogVerification = { ok: boolean; leaves: number; heads: number; detail: string };

/**
 * Recomputes a sale's decision log from its first leaf, in one snapshot: no index is missing, the stored hashes and every
 * signed head fit the leaves, every signature is right, and the orders of the sale are those that it has accepted. Holds
 * some 200 bytes for each order; 100,000 leaves take a few seconds.
 */
export function verifyLog(saleId: string): Promise<LogVerification> {
  return db().$transaction((tx) => recompute(tx, saleId), {
    isolationLevel: 'RepeatableRead',
    timeout: limitMs('wholeLog'),
  });
}

async function recompute(tx: Db, saleId: string): Promise<LogVerification> {
  const log = await tx.decisionLog.findUnique({ where: { saleId } });
  const size = Number(log?.size ?? 0);
  const rows = await tx.decisionHead.findMany({
    where: { saleId },
    orderBy: [{ size: 'asc' }, { isFinal: 'asc' }],
  });
  const heads = rows.map(toHead);
  const problems = await checkSignatures(tx, heads);
  if (log && Number(log.signedSize) !== (heads.at(-1)?.size ?? 0))
    problems.push('its latest head is missing');
  const accepted: LoggedOrders = new Map();
  problems.push(...(await checkLeaves(tx, saleId, size, heads, accepted)));
  problems.push(...(await compareOrders(tx, saleId, log?.pseudonymKey ?? null, accepted)));
  const ok = problems.length === 0;
  const detail = ok ? intact(size, heads) : broken(problems);
  return { ok, leaves: size, heads: heads.length, detail };
}

async function checkSignatures(tx: Db, heads: readonly LogHead[]): Promise<string[]> {
  const keys = new Map((await tx.logKey.findMany()).map(({ id, publicKey }) => [id, publicKey]));
  const problems: string[] = [];
  let [last, lastAt]: [LogHead | undefined, number] = [undefined, 0];
  for (const head of heads) {
    const fault = await checkHead(head, keys.get(head.keyId) ?? '');
    if (fault) problems.push(`the head of ${head.size} is not signed by a key of the shop`);
    if (last?.size === head.size && last.root !== head.root)
      problems.push(`two heads of ${head.size} leaves differ: the log was forked`);
    if (head.at < lastAt) problems.push(`the head of ${head.size} is older than the one before`);
    [last, lastAt] = [head, head.at];
  }
  return problems;
}

/** Compares leaves, stored hashes and heads. Collects the orders that the leaves have accepted. */
async function checkLeaves(
  tx: Db,
  saleId: string,
  size: number,
  heads: readonly LogHead[],
  accepted: LoggedOrders,
): Promise<string[]> {
  const problems: string[] = [];
  const builder = new RootBuilder(nodeSha256);
  const due = [...heads];
  for (let after = -1n; ; ) {
    const leaves = await tx.decisionLeaf.findMany({
      where: { saleId, index: { gt: after } },
      orderBy: { index: 'asc' },
      take: BATCH_SIZE,
    });
    for (const { index, leaf, who } of leaves) {
      if (Number(index) !== builder.size) return [...problems, `leaf ${builder.size} is missing`];
      const parsed = JSON.parse(leaf) as Leaf;
      if (parsed.who !== who || parsed.sale !== saleId) problems.push(`leaf ${index} is filed wrongly`);
      if (parsed.kind === 'accepted' && parsed.order)
        accepted.set(parsed.order, (accepted.get(parsed.order) ?? 0) + 1);
      await builder.addHash(nodeSha256(leafInput(utf8(leaf))));
      for (; due[0]?.size === builder.size; due.shift()) {
        if (!isSame(await builder.root(), fromBase64url(due[0].root)))
          problems.push(`the leaves before ${builder.size} are not those that were signed`);
      }
    }
    const last = leaves.at(-1);
    if (!last) break;
    after = last.index;
  }
  if (builder.size !== size) problems.push(`it has ${builder.size} leaves, and should have ${size}`);
  for (const { size: signed } of due)
    problems.push(`the leaves before ${signed} were signed, and some are gone`);
  if (builder.size === size && size > 0) {
    const stored = await new LogTiles(tx, saleId).root(size).catch(() => null);
    if (!stored || !isSame(stored, await builder.root()))
      problems.push('the stored hashes are not those of the leaves');
  }
  return problems;
}

function intact(size: number, heads: readonly LogHead[]): string {
  const last = heads.at(-1);
  if (!last) return size === 0 ? 'nothing was decided yet' : `${size} leaves, none signed yet`;
  return `${size} leaves, ${heads.length} heads; the latest has ${last.size} leaves and the root ${last.root}`;
}

function broken(problems: string[]): string {
  const more = problems.length - MOST_NAMED;
  return `${problems.slice(0, MOST_NAMED).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
