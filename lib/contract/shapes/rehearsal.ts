import { z } from 'zod';
import { MAX_SHOPPERS, MIN_SHOPPERS, REHEARSAL_CHECKS, REHEARSAL_STATES } from '../words/rehearsal';
import { count, time, units } from './common';

const check = z.object({
  id: z.enum(REHEARSAL_CHECKS),
  ok: z.boolean(),
  figures: z.record(z.string(), z.number()).describe('The numbers it was judged by.'),
});
export type RehearsalCheck = z.output<typeof check>;

const report = z
  .object({
    isGo: z.boolean(),
    shoppers: count,
    presses: count,
    perSecond: z.number().describe('Presses answered in the busiest second.'),
    latencyMs: z
      .object({ p50: z.number(), p95: z.number(), p99: z.number(), max: z.number() })
      .describe('From the moment at which a press was planned.'),
    answers: z.record(z.string(), count).describe('How presses were answered: accepted, sold_out, …'),
    limited: z
      .object({ user: count, ip: count, interface: count, device: count.optional() })
      .describe("Presses refused by each of the sale's limits."),
    units: z.object({ total: units, sold: count, released: count }),
    soldOutAfterMs: z
      .number()
      .nullable()
      .describe('How long after the start the last unit went; null: some were left.'),
    checks: z.array(check),
  })
  .meta({ id: 'RehearsalReport' });
export type RehearsalReport = z.output<typeof report>;

export const rehearsal = z
  .object({
    rehearsalId: z.string(),
    state: z.enum(REHEARSAL_STATES),
    shoppers: count,
    progress: count.describe('Percent.'),
    report: report.nullable(),
    createdAt: time,
    endedAt: time.nullable(),
  })
  .meta({ id: 'Rehearsal' });
export type RehearsalView = z.output<typeof rehearsal>;

export const newRehearsal = z.strictObject({
  shoppers: z.number().int().min(MIN_SHOPPERS).max(MAX_SHOPPERS),
});
