import 'server-only';
import type { ReconcileReport } from '@/lib/contract/shapes/reconcile';
import { type Db, db } from '@/lib/db/client';

/** Reports kept per sale: at one a minute, those of the last twenty minutes. */
const KEEP = 20;

/** Stores a report, and deletes those of the sale beyond the last twenty. */
export async function keepReport(tx: Db, report: ReconcileReport): Promise<void> {
  const { saleId, cause, ok, found, repaired } = report;
  await tx.$executeRaw`
    INSERT INTO reconciliations (sale_id, cause, ok, differences, repaired, report)
    VALUES (${saleId}, ${cause}, ${ok}, ${found}, ${repaired}, ${JSON.stringify(report)}::jsonb)`;
  await tx.$executeRaw`
    DELETE FROM reconciliations WHERE sale_id = ${saleId} AND id < (
      SELECT min(id) FROM (SELECT id FROM reconciliations WHERE sale_id = ${saleId}
                           ORDER BY id DESC LIMIT ${KEEP}) AS latest)`;
}

/** Returns the latest report of a sale; null if it was never reconciled. */
export async function readLastReport(saleId: string): Promise<ReconcileReport | null> {
  const rows = await db().$queryRaw<{ report: ReconcileReport }[]>`
    SELECT report FROM reconciliations WHERE sale_id = ${saleId} ORDER BY id DESC LIMIT 1`;
  return rows[0]?.report ?? null;
}
