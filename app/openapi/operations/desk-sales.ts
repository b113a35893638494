import { z } from 'zod';
import { reconcileSchema } from '@/lib/desk/reconcile/reconcile-on-demand';
import { DIFFERENCES, type DifferenceKind, type ReconcileReport } from '@/lib/desk/reconcile/types';
import { pageSchema } from '@/lib/http/cursor';
import { limitsSchema } from '@/lib/sale/limits-input';
import { createSaleSchema, restockSchema } from '@/lib/sale/sale-input';
import type { Area, Operation } from '../operation';
import { count, pageOf, time } from '../views/common';
import { deskSale, live, sale, tiers } from '../views/sale';

const KINDS = Object.keys(DIFFERENCES) as [DifferenceKind, ...DifferenceKind[]];

const reconcileReport = z
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
          repair: z.enum(['load', 'release', 'confirm', 'resend', 'retake', 'take_back']).nullable(),
          outcome: z.enum(['repaired', 'open', 'reported']),
        }),
      )
      .describe('The first hundred.'),
  })
  .meta({ id: 'ReconcileReport' }) satisfies z.ZodType<ReconcileReport>;

/** The changes that need no body. */
const change = (verb: string, says: string): Operation => ({
  id: `${verb}Sale`,
  method: 'POST',
  path: `/api/admin/sales/{saleId}/${verb}`,
  who: 'desk',
  says,
  answers: { 200: sale },
  errors: ['SALE_NOT_FOUND', 'SALE_STATE'],
});

export const deskSales: Area = {
  name: 'Desk: sales',
  says: 'Merchants see and change their own.',
  operations: [
    {
      id: 'listDeskSales',
      method: 'GET',
      path: '/api/admin/sales',
      who: 'seeDesk',
      says: 'Sales, newest first, drafts included.',
      query: pageSchema,
      answers: { 200: pageOf('sales', deskSale) },
    },
    {
      id: 'createSale',
      method: 'POST',
      path: '/api/admin/sales',
      who: 'desk',
      says: 'A draft. It ends after it starts, entry opens no later than the start, reservations close no later than the start; the list price is not below the price; `onStockOutage: "database"` goes with the strategy `script` only; limits that are left out or null don\'t limit.',
      body: createSaleSchema,
      answers: { 201: sale },
    },
    change('publish', 'Makes a draft visible and warms it up; again changes nothing.'),
    change('pause', 'Nobody can buy until it is resumed.'),
    change('resume', 'Lets buying go on.'),
    change('close', 'Ends it for good.'),
    {
      id: 'changeLimits',
      method: 'PATCH',
      path: '/api/admin/sales/{saleId}/limits',
      who: 'desk',
      says: 'The rate limits, also while it runs; null takes all away.',
      body: limitsSchema,
      answers: { 200: sale },
      errors: ['SALE_NOT_FOUND', 'SALE_STATE'],
    },
    {
      id: 'changeStock',
      method: 'POST',
      path: '/api/admin/sales/{saleId}/stock',
      who: 'desk',
      says: 'Adds units, or takes unsold ones back with a negative `delta`, which is not 0.',
      body: restockSchema,
      answers: { 200: z.object({ stock: tiers }) },
      errors: ['SALE_NOT_FOUND', 'SALE_STATE', 'STOCK_BELOW_COMMITTED', 'STOCK_UNLIMITED'],
    },
    {
      id: 'readLive',
      method: 'GET',
      path: '/api/admin/sales/{saleId}/live',
      who: 'seeDesk',
      says: 'The sale in numbers of this second.',
      answers: { 200: live },
      errors: ['SALE_NOT_FOUND'],
    },
    {
      id: 'readReconciliation',
      method: 'GET',
      path: '/api/admin/sales/{saleId}/reconcile',
      who: 'seeDesk',
      says: 'The last comparison of Redis, outbox and Postgres.',
      answers: { 200: z.object({ report: reconcileReport.nullable() }) },
      errors: ['SALE_NOT_FOUND'],
    },
    {
      id: 'reconcileSale',
      method: 'POST',
      path: '/api/admin/sales/{saleId}/reconcile',
      who: 'desk',
      says: 'Compares them now, and repairs what is safe to repair if asked to.',
      body: reconcileSchema,
      isBodyOptional: true,
      answers: { 200: reconcileReport },
      errors: ['SALE_NOT_FOUND', 'SALE_STATE'],
    },
    {
      id: 'readPrewarmList',
      method: 'GET',
      path: '/api/admin/sales/{saleId}/prewarm',
      who: 'seeDesk',
      says: 'The pages a CDN should have before the crowd comes.',
      answers: { 200: z.object({ paths: z.array(z.string()), urls: z.array(z.string()) }) },
      errors: ['SALE_NOT_FOUND'],
    },
  ],
};
