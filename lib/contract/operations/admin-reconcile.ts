import { z } from 'zod';
import {
  type ReconciledSale,
  type ReportSummary,
  reconciledFilterSchema,
} from '@/lib/desk/reconcile/list-reports';
import { reconcileSchema } from '@/lib/desk/reconcile/reconcile-on-demand';
import {
  DIFFERENCES,
  type DifferenceKind,
  RECONCILE_STAGES,
  type ReconcileProgress,
  type ReconcileReport,
} from '@/lib/desk/reconcile/types';
import { type Area, operation } from '../operation';
import { count, page, pageOf, time } from '../shapes/common';

const KINDS = Object.keys(DIFFERENCES) as [DifferenceKind, ...DifferenceKind[]];

const report = z
  .object({
    saleId: z.string(),
    cause: z.enum(['schedule', 'demand']),
    checkedAt: time,
    tookMs: z.number(),
    ok: z.boolean().describe('Nothing was wrong, or everything wrong was repaired.'),
    inFlight: count.describe('Purchases on their way to becoming orders.'),
    ...{ found: count, repaired: count },
    counts: z.partialRecord(z.enum(KINDS), count),
    differences: z
      .array(
        z.object({
          kind: z.enum(KINDS),
          ...{ orderNo: z.string().nullable(), userId: z.string().nullable(), detail: z.string() },
          repair: z
            .enum(['load', 'release', 'confirm', 'resend', 'retake', 'take_back', 'configure'])
            .nullable(),
          outcome: z.enum(['repaired', 'open', 'reported']),
        }),
      )
      .describe('The first hundred.'),
  })
  .meta({ id: 'ReconcileReport' }) satisfies z.ZodType<ReconcileReport>;

const progress = z
  .object({
    stage: z.enum(RECONCILE_STAGES),
    done: count,
    total: count.describe('About so many; 0 where nothing is counted.'),
  })
  .meta({ id: 'ReconcileProgress' }) satisfies z.ZodType<ReconcileProgress>;

const summary = report
  .omit({ differences: true })
  .extend({ reportId: z.string() })
  .meta({ id: 'ReconcileSummary' }) satisfies z.ZodType<ReportSummary>;

const reconciled = z
  .object({
    ...{ saleId: z.string(), title: z.string() },
    last: summary.nullable().describe('Null: not compared yet.'),
  })
  .meta({ id: 'ReconciledSale' }) satisfies z.ZodType<ReconciledSale>;

export const listReconciled = operation({
  id: 'listReconciled',
  method: 'GET',
  path: '/api/admin/reconciliations',
  who: 'seeDesk',
  says: 'Published sales, newest first, with how the last comparison went; `broken`: where it was not well.',
  query: page.extend(reconciledFilterSchema.shape),
  answers: { 200: pageOf('sales', reconciled) },
});

export const readReconciliation = operation({
  id: 'readReconciliation',
  method: 'GET',
  path: '/api/admin/sales/{saleId}/reconcile',
  who: 'seeDesk',
  says: 'The last comparison of Redis, outbox and Postgres, and how far the next one is while it is under way.',
  answers: { 200: z.object({ report: report.nullable(), progress: progress.nullable() }) },
  errors: ['SALE_NOT_FOUND'],
});

export const reconcileSale = operation({
  id: 'reconcileSale',
  method: 'POST',
  path: '/api/admin/sales/{saleId}/reconcile',
  who: 'desk',
  says: 'Compares them now, and repairs what is safe to repair if asked to; of that only `kinds`, if given.',
  body: reconcileSchema,
  isBodyOptional: true,
  answers: { 200: report },
  errors: ['SALE_NOT_FOUND', 'SALE_STATE'],
});

export const listReconcileReports = operation({
  id: 'listReconcileReports',
  method: 'GET',
  path: '/api/admin/sales/{saleId}/reconcile/reports',
  who: 'seeDesk',
  says: "A sale's kept reports, latest first, without their differences.",
  query: page,
  answers: { 200: pageOf('reports', summary) },
  errors: ['SALE_NOT_FOUND'],
});

export const readReconcileReport = operation({
  id: 'readReconcileReport',
  method: 'GET',
  path: '/api/admin/sales/{saleId}/reconcile/reports/{reportId}',
  who: 'seeDesk',
  says: 'One of them, with its differences.',
  answers: { 200: z.object({ report }) },
  errors: ['NOT_FOUND'],
});

export const deskReconcile: Area = {
  name: 'Desk: reconciliation',
  says: 'Whether Redis, outbox and Postgres tell the same of a sale.',
  operations: [listReconciled, readReconciliation, reconcileSale, listReconcileReports, readReconcileReport],
};
