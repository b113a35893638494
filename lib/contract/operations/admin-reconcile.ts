import { z } from 'zod';
import { area } from '../operation';
import { page, pageOf } from '../shapes/common';
import {
  reconciledFilter,
  reconciledSale,
  reconcileReport,
  reconcileRequest,
  reconciliation,
  reportSummary,
} from '../shapes/reconcile';

export const adminReconcile = area(
  'Admin: reconciliation',
  'Whether Redis, outbox and Postgres tell the same of a sale.',
);
const { operation } = adminReconcile;

export const listReconciled = operation('GET /api/admin/reconciliations', {
  who: 'seeAdmin',
  says: 'Published sales, newest first, with how the last comparison went; `broken`: where it was not well.',
  query: page.extend(reconciledFilter.shape),
  answers: { 200: pageOf('sales', reconciledSale) },
});

export const readReconciliation = operation('GET /api/admin/sales/{saleId}/reconcile', {
  who: 'seeAdmin',
  says: 'The last comparison of Redis, outbox and Postgres, and how far the next one is while it is under way.',
  answers: { 200: reconciliation },
  errors: ['SALE_NOT_FOUND'],
});

export const reconcileSale = operation('POST /api/admin/sales/{saleId}/reconcile', {
  who: 'manageSales',
  says: 'Compares them now, and repairs what is safe to repair if asked to; of that only `kinds`, if given.',
  body: reconcileRequest,
  isBodyOptional: true,
  answers: { 200: reconcileReport },
  errors: ['SALE_NOT_FOUND', 'SALE_STATE'],
});

export const listReconcileReports = operation('GET /api/admin/sales/{saleId}/reconcile/reports', {
  who: 'seeAdmin',
  says: "A sale's kept reports, latest first, without their differences.",
  query: page,
  answers: { 200: pageOf('reports', reportSummary) },
  errors: ['SALE_NOT_FOUND'],
});

export const readReconcileReport = operation('GET /api/admin/sales/{saleId}/reconcile/reports/{reportId}', {
  who: 'seeAdmin',
  says: 'One of them, with its differences.',
  answers: { 200: z.object({ report: reconcileReport }) },
  errors: ['NOT_FOUND'],
});
