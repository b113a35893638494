import 'server-only';
import type { Leaf, LogHead } from '@/lib/contract/shapes/decision-log';
import { type Db, db } from '@/lib/db/client';
import { fromBase64url, isSame, utf8 } from '@/lib/decision-log/proof/bytes';
import { checkHead } from '@/lib/decision-log/proof/check-head';
import { leafInput, RootBuilder } from '@/lib/decision-log/proof/merkle';
import { newPseudonymKey, nodeSha256 } from '@/lib/decision-log/pseudonym';
import { toHead } from '@/lib/decision-log/read-heads';
import { LogTiles } from '@/lib/decision-log/tiles';
import { createLeafMaker } from '@/lib/decision-log/to-leaf';
import { limitMs } from '@/lib/time-limits';
import { compareOrders, type LoggedOrders, noteAccepted } from './compare-logged-orders';
import { comparePlaces, LoggedPlaces } from './compare-logged-places';
import { fault } from './faults';
import { nameAccounts } from './name-accounts';

const BATCH_SIZE = 2_000;
/** Further faults are only counted. */
const MOST_NAMED = 5;

export type LogVerification = { ok: boolean; leaves: number; heads: number; detail: string };

/**
 * Recomputes a sale's decision log from its first leaf, in one snapshot: the leaves are complete, the stored hashes and
 * signed heads fit them, every signature is right, and orders and places are those of the log. Holds some 300 bytes for
 * each order and place; 100,000 leaves take a few seconds.
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
  if (log && Number(log.signedSize) !== (heads.at(-1)?.size ?? 0)) problems.push(fault('head_missing'));
  const [accepted, places]: [LoggedOrders, LoggedPlaces] = [new Map(), new LoggedPlaces()];
  const note = (found: Leaf) => {
    noteAccepted(accepted, found);
    places.add(found);
  };
  problems.push(...(await checkLeaves(tx, saleId, size, heads, note)));
  // A sale without a log has given no place yet: all its decisions wait.
  const key = log?.pseudonymKey ?? newPseudonymKey();
  await readWaiting(tx, saleId, key, note);
  problems.push(...(await compareOrders(tx, saleId, key, accepted)));
  const compared = await comparePlaces(tx, saleId, key, places);
  problems.push(...compared.problems);
  const ok = problems.length === 0;
  const detail = ok
    ? `${intact(size, heads)}${fromBefore(compared.unchecked)}`
    : broken(await nameAccounts(tx, key, problems.slice(0, MOST_NAMED)), problems.length);
  return { ok, leaves: size, heads: heads.length, detail };
}

async function checkSignatures(tx: Db, heads: readonly LogHead[]): Promise<string[]> {
  const keys = new Map((await tx.logKey.findMany()).map(({ id, publicKey }) => [id, publicKey]));
  const problems: string[] = [];
  let [last, lastAt]: [LogHead | undefined, number] = [undefined, 0];
  for (const head of heads) {
    const wrong = await checkHead(head, keys.get(head.keyId) ?? '');
    if (wrong) problems.push(fault('head_unsigned', { size: head.size }));
    if (last?.size === head.size && last.root !== head.root)
      problems.push(fault('log_forked', { size: head.size }));
    if (head.at < lastAt) problems.push(fault('head_backdated', { size: head.size }));
    [last, lastAt] = [head, head.at];
  }
  return problems;
}

/** Takes the decisions that wait for their place in the log. */
async function readWaiting(tx: Db, saleId: string, key: string, note: (found: Leaf) => void): Promise<void> {
  const make = createLeafMaker(saleId, key);
  const batches = await tx.decisionBatch.findMany({ where: { saleId }, select: { decisions: true } });
  for (const made of batches.flatMap(({ decisions }) => decisions as unknown[]))
    note(JSON.parse(make(made).leaf) as Leaf);
}

/** Compares leaves, stored hashes and heads. @param note is told each leaf */
async function checkLeaves(
  tx: Db,
  saleId: string,
  size: number,
  heads: readonly LogHead[],
  note: (found: Leaf) => void,
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
      if (Number(index) !== builder.size)
        return [...problems, fault('leaf_missing', { index: builder.size })];
      const parsed = JSON.parse(leaf) as Leaf;
      if (parsed.who !== who || parsed.sale !== saleId)
        problems.push(fault('leaf_misfiled', { index: String(index) }));
      note(parsed);
      await builder.addHash(nodeSha256(leafInput(utf8(leaf))));
      for (; due[0]?.size === builder.size; due.shift()) {
        if (!isSame(await builder.root(), fromBase64url(due[0].root)))
          problems.push(fault('leaves_changed', { size: builder.size }));
      }
    }
    const last = leaves.at(-1);
    if (!last) break;
    after = last.index;
  }
  if (builder.size !== size) problems.push(fault('leaves_counted', { is: builder.size, size }));
  for (const { size: signed } of due) problems.push(fault('leaves_gone', { size: signed }));
  if (builder.size === size && size > 0) {
    const stored = await new LogTiles(tx, saleId).root(size).catch(() => null);
    if (!stored || !isSame(stored, await builder.root())) problems.push(fault('hashes_differ'));
  }
  return problems;
}

function intact(size: number, heads: readonly LogHead[]): string {
  const last = heads.at(-1);
  if (!last) return size === 0 ? 'nothing was decided yet' : `${size} leaves, none signed yet`;
  return `${size} leaves, ${heads.length} heads; the latest has ${last.size} leaves and the root ${last.root}`;
}

const fromBefore = (places: number): string =>
  places === 0 ? '' : `; ${places} places from before places were logged can't be compared`;

function broken(named: readonly string[], all: number): string {
  const more = all - named.length;
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
