import { z } from 'zod';
import {
  DIFFERENCE_KINDS,
  DIFFERENCE_OUTCOMES,
  RECONCILE_CAUSES,
  RECONCILE_STAGES,
  RECONCILED_STATES,
  REPAIRS,
} from '../words/reconcile';
import { count, time } from './common';

const difference = z.object({
  kind: z.enum(DIFFERENCE_KINDS),
  orderNo: z.string().nullable().describe('Null: it is of the sale as a whole.'),
  userId: z.string().nullable(),
  detail: z.string().describe('One sentence with the numbers.'),
  repair: z.enum(REPAIRS).nullable().describe('What puts it right; null: a person has to look.'),
});

/** One difference. It has no order if it is about the sale as a whole. */
export type Difference = z.output<typeof difference>;

const reportedDifference = difference.extend({ outcome: z.enum(DIFFERENCE_OUTCOMES) });
export type ReportedDifference = z.output<typeof reportedDifference>;

export const reconcileReport = z
  .object({
    saleId: z.string(),
    cause: z.enum(RECONCILE_CAUSES),
    checkedAt: time,
    tookMs: z.number(),
    ok: z.boolean().describe('Nothing was wrong, or everything wrong was repaired.'),
    inFlight: count.describe('Purchases on their way to becoming orders: explained, no differences.'),
    found: count,
    repaired: count,
    counts: z.partialRecord(z.enum(DIFFERENCE_KINDS), count),
    differences: z.array(reportedDifference).describe('The first hundred.'),
  })
  .meta({ id: 'ReconcileReport' });

/** The findings of one reconciliation of a sale. */
export type ReconcileReport = z.output<typeof reconcileReport>;

const progress = z
  .object({
    stage: z.enum(RECONCILE_STAGES),
    done: count.describe('Purchases, orders or differences.'),
    total: count.describe('About so many; 0 where nothing is counted.'),
  })
  .meta({ id: 'ReconcileProgress' });

/** The progress of a reconciliation. */
export type ReconcileProgress = z.output<typeof progress>;

/** A sale's last report, and the progress of the next one; null: there is none. */
export const reconciliation = z.object({
  report: reconcileReport.nullable(),
  progress: progress.nullable(),
});
export type Reconciliation = z.output<typeof reconciliation>;

export const reportSummary = reconcileReport
  .omit({ differences: true })
  .extend({ reportId: z.string() })
  .meta({ id: 'ReconcileSummary' });

/** A kept report without its differences. */
export type ReportSummary = z.output<typeof reportSummary>;

export const reconciledSale = z
  .object({
    saleId: z.string(),
    title: z.string(),
    last: reportSummary.nullable().describe('Null: not compared yet.'),
  })
  .meta({ id: 'ReconciledSale' });

/** A published sale and the result of its last reconciliation. */
export type ReconciledSale = z.output<typeof reconciledSale>;

export const reconciledFilter = z.object({
  state: z.enum(RECONCILED_STATES).default('all'),
  saleId: z.string().max(64).optional(),
});
export type ReconciledFilter = z.output<typeof reconciledFilter>;

export const reconcileRequest = z.strictObject({
  repair: z.boolean().default(false),
  kinds: z
    .array(z.enum(DIFFERENCE_KINDS))
    .min(1)
    .max(DIFFERENCE_KINDS.length)
    .optional()
    .describe('Repair only these.'),
});
