import 'server-only';
import { type Actor, shopsOf } from '@/lib/actor/actor';
import type { Page } from '@/lib/contract/shapes/common';
import type {
  ReconciledFilter,
  ReconciledSale,
  ReconcileReport,
  ReportSummary,
} from '@/lib/contract/shapes/reconcile';
import { db } from '@/lib/db/client';
import { readStale } from '@/lib/db/read-stale';
import { decodeCursor, encodeCursor, pageOfRows } from '@/lib/http/cursor';
import { isVisible } from './reconcile-on-demand';

type Row = { id: bigint; report: ReconcileReport };

type ReportPage =
  | { status: 'listed'; reports: ReportSummary[]; nextCursor: string | null }
  | { status: 'foreign_cursor' }
  | { status: 'not_found' };

/** Returns one page of a sale's kept reports, latest first. @returns `not_found` also for another merchant's sale. */
export async function listReports(
  actor: Actor,
  saleId: string,
  { cursor, limit }: Page,
): Promise<ReportPage> {
  const before = cursor === undefined ? '' : decodeCursor(cursor);
  if (cursor !== undefined && !/^\d{1,18}$/.test(before)) return { status: 'foreign_cursor' };
  if (!(await isVisible(actor, saleId))) return { status: 'not_found' };
  const rows = await readStale(
    (client) => client.$queryRaw<Row[]>`
    SELECT id, report - 'differences' AS report FROM reconciliations
    WHERE sale_id = ${saleId} AND (${before} = '' OR id < nullif(${before}, '')::bigint)
    ORDER BY id DESC LIMIT ${limit + 1}`,
  );
  const { page, nextCursor } = pageOfRows(rows, limit, (last) => String(last.id));
  return {
    status: 'listed',
    reports: page.map(({ id, report }) => ({ ...report, reportId: String(id) })),
    nextCursor,
  };
}

/** Returns one kept report of a sale, with its differences. @returns null if it isn't kept, or the actor may not see it */
export async function readReport(
  actor: Actor,
  saleId: string,
  reportId: string,
): Promise<ReconcileReport | null> {
  if (!/^\d{1,18}$/.test(reportId) || !(await isVisible(actor, saleId))) return null;
  const rows = await db().$queryRaw<Pick<Row, 'report'>[]>`
    SELECT report FROM reconciliations WHERE id = ${BigInt(reportId)} AND sale_id = ${saleId}`;
  return rows[0]?.report ?? null;
}

/**
 * Returns one page of the published sales the actor may see, newest first: all, or those whose last report found a
 * problem.
 */
export async function listReconciled(
  actor: Actor,
  { cursor, limit }: Page,
  { state, saleId = '' }: ReconciledFilter,
): Promise<{ sales: ReconciledSale[]; nextCursor: string | null }> {
  const before = cursor === undefined ? '' : decodeCursor(cursor);
  const shops = await shopsOf(actor);
  const rows = await readStale(
    (client) => client.$queryRaw<(Partial<Row> & { saleId: string; title: string })[]>`
    SELECT s.id AS "saleId", s.title, r.id, r.report FROM sales s
    LEFT JOIN LATERAL (SELECT id, ok, report - 'differences' AS report FROM reconciliations
                       WHERE sale_id = s.id ORDER BY id DESC LIMIT 1) AS r ON true
    WHERE s.status <> 'draft' AND (${before} = '' OR s.id < ${before})
      AND (${shops === null} OR s.merchant_id = ANY (${shops ?? []}::text[]))
      AND (${state} = 'all' OR NOT r.ok)
      AND (${saleId} = '' OR s.id = ${saleId})
    ORDER BY s.id DESC LIMIT ${limit + 1}`,
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    sales: page.map(({ id, report, ...sale }) => ({
      ...sale,
      last: report ? { ...report, reportId: String(id) } : null,
    })),
    nextCursor: last && rows.length > limit ? encodeCursor(last.saleId) : null,
  };
}
