import { z } from 'zod';
import { CHECK_IDS, type Preflight } from '@/lib/desk/preflight/types';
import { requestRehearsalSchema } from '@/lib/desk/rehearsal/request-rehearsal';
import { REHEARSAL_CHECKS, type RehearsalReport, type RehearsalView } from '@/lib/rehearsal/types';
import { type Area, operation } from '../operation';
import { count, page, pageOf, time } from '../shapes/common';

const figures = z.record(z.string(), z.number());

const preflight = z
  .object({
    ok: z.boolean().describe('Nothing forbids to publish.'),
    checks: z.array(
      z.object({
        ...{ id: z.enum(CHECK_IDS), ok: z.boolean() },
        severity: z.enum(['stop', 'warn']).describe('`stop` forbids to publish if it is not ok.'),
        reason: z.string().nullable().describe('What is wrong with it, stable; null: nothing.'),
        detail: z.string(),
        values: figures.describe('The numbers in it: milliseconds, seconds or units.'),
      }),
    ),
  })
  .meta({ id: 'Preflight' }) satisfies z.ZodType<Preflight>;

const report = z
  .object({
    ...{ isGo: z.boolean(), shoppers: count, presses: count },
    perSecond: z.number().describe('Presses answered in the busiest second.'),
    latencyMs: z
      .object({ p50: z.number(), p95: z.number(), p99: z.number(), max: z.number() })
      .describe('From the moment at which a press was planned.'),
    answers: z.record(z.string(), count).describe('How presses were answered: accepted, sold_out, …'),
    limited: z
      .object({ user: count, ip: count, interface: count })
      .describe("Presses refused by each of the sale's limits."),
    units: z.object({ total: count, sold: count, released: count }),
    soldOutAfterMs: z.number().nullable().describe('After the start; null: some were left.'),
    checks: z.array(z.object({ id: z.enum(REHEARSAL_CHECKS), ok: z.boolean(), figures })),
  })
  .meta({ id: 'RehearsalReport' }) satisfies z.ZodType<RehearsalReport>;

const rehearsal = z
  .object({
    rehearsalId: z.string(),
    state: z.enum(['queued', 'running', 'done', 'failed']),
    shoppers: count,
    progress: count.describe('Percent.'),
    report: report.nullable(),
    ...{ createdAt: time, endedAt: time.nullable() },
  })
  .meta({ id: 'Rehearsal' }) satisfies z.ZodType<RehearsalView>;

export const runPreflight = operation({
  id: 'runPreflight',
  method: 'GET',
  path: '/api/admin/sales/{saleId}/preflight',
  who: 'seeDesk',
  says: 'Looks at all that a sale needs, now.',
  answers: { 200: preflight },
  errors: ['SALE_NOT_FOUND'],
});

export const listRehearsals = operation({
  id: 'listRehearsals',
  method: 'GET',
  path: '/api/admin/sales/{saleId}/rehearsals',
  who: 'seeDesk',
  says: "A sale's rehearsals, the latest first.",
  query: page,
  answers: { 200: pageOf('rehearsals', rehearsal) },
  errors: ['SALE_NOT_FOUND'],
});

export const requestRehearsal = operation({
  id: 'requestRehearsal',
  method: 'POST',
  path: '/api/admin/sales/{saleId}/rehearsals',
  who: 'desk',
  says: 'Has a worker rehearse a sale that has not started, with made-up shoppers: 202. While one waits or runs: 200 with that one.',
  body: requestRehearsalSchema,
  answers: { 202: rehearsal, 200: rehearsal },
  errors: ['SALE_NOT_FOUND', 'SALE_STATE', 'REHEARSAL_UNSUPPORTED'],
});

export const deskRehearsals: Area = {
  name: 'Desk: before a sale',
  says: 'Whether everything is there that a sale needs, and how it would go.',
  operations: [runPreflight, listRehearsals, requestRehearsal],
};
