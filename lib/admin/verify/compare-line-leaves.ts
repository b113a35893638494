import 'server-only';
import { type Db, db } from '@/lib/db/client';
import { checkSharedLeaves } from '@/lib/decision-log/proof/check-shared-leaves';
import { LineLeaves } from '@/lib/decision-log/proof/line-leaves';
import { createLeafMaker } from '@/lib/decision-log/to-leaf';
import type { OrderProof } from '@/lib/shuffle/check-order';

type Order = OrderProof & { admission: string; beaconUrl: string | null };
type Difference = { problem: string; number?: number };

const PAGE = 5_000;
const TIMEOUT_MS = 10 * 60_000;

/**
 * Compares an order with its sale's log, decisions that wait for their place included. Lines of sales that were published
 * before the log had them have no leaves.
 * @returns what differs; null: nothing does. @throws connection errors
 */
export function compareLineLeaves(saleId: string, order: Order): Promise<Difference | null> {
  return db().$transaction((tx) => compare(tx, saleId, order), {
    isolationLevel: 'RepeatableRead',
    timeout: TIMEOUT_MS,
  });
}

async function compare(tx: Db, saleId: string, order: Order): Promise<Difference | null> {
  const leaves = await readLineLeaves(tx, saleId);
  if (!leaves.shared.some(({ kind }) => kind === 'committed') && !(await mustBeLogged(tx, saleId)))
    return null;
  const isDraw = order.admission === 'draw';
  return (await checkSharedLeaves(order, leaves.shared, true)) ?? leaves.compare(isDraw, order.entries);
}

async function mustBeLogged(tx: Db, saleId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ must: boolean }[]>`
    SELECT coalesce(s.published_at >= d.lines_at, false) AS must FROM sales s, decision_log_start d WHERE s.id = ${saleId}`;
  return row?.must === true;
}

async function readLineLeaves(tx: Db, saleId: string): Promise<LineLeaves> {
  const leaves = new LineLeaves();
  for (let after = -1n; ; ) {
    const rows = await tx.$queryRaw<{ index: bigint; leaf: string }[]>`
      SELECT index, leaf FROM decision_leaves WHERE sale_id = ${saleId} AND index > ${after} ORDER BY index LIMIT ${PAGE}`;
    for (const { leaf } of rows) leaves.add(leaf);
    const last = rows.at(-1);
    if (!last) break;
    after = last.index;
  }
  const log = await tx.decisionLog.findUnique({ where: { saleId } });
  const waiting = await tx.$queryRaw<{ decisions: unknown[] }[]>`
    SELECT decisions FROM decision_batches WHERE sale_id = ${saleId} ORDER BY logged_at, id`;
  if (!log) return leaves;
  const make = createLeafMaker(saleId, log.pseudonymKey);
  for (const made of waiting.flatMap(({ decisions }) => decisions)) leaves.add(make(made).leaf);
  return leaves;
}
