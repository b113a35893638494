import { z } from 'zod';
import {
  MAX_SHOPPERS,
  MIN_SHOPPERS,
  REHEARSAL_CHECKS,
  REHEARSAL_REASONS,
  REHEARSAL_STATES,
} from '../words/rehearsal';
import { count, time, units } from './common';

const check = z.object({
  id: z.enum(REHEARSAL_CHECKS),
  ok: z.boolean(),
  figures: z.record(z.string(), z.number()).describe('The numbers it was judged by.'),
});
export type RehearsalCheck = z.output<typeof check>;

const line = z.object({
  joined: count,
  admitted: count,
  admittedPerSecond: count.describe('In the busiest second.'),
  longestWaitMs: z.number().describe('Of those who were let in, from the start or from joining later.'),
  notBought: count.describe('Who were let in and bought nothing.'),
  foundNone: count.describe('Who were let in and found no unit.'),
  waiting: count.describe('Who were not let in.'),
});
/** How a line went. Its clock is its own: a turn that nobody uses passes at once. */
export type RehearsedLine = z.output<typeof line>;

const draw = z.object({
  entrants: count,
  drawn: count.describe('Who got a unit by the draw.'),
  givenOn: count.describe('Who got one that came back unpaid.'),
  bought: count.describe('Who paid.'),
});
export type RehearsedDraw = z.output<typeof draw>;

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
    line: line.optional().describe('Only of a waiting room.'),
    draw: draw.optional().describe('Only of a draw.'),
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
    reason: z.enum(REHEARSAL_REASONS).nullable().describe('Why it failed, where that is known.'),
    besideLive: z.boolean().describe('Rehearsals here run beside live sales (REHEARSE_BESIDE_LIVE).'),
    createdAt: time,
    endedAt: time.nullable(),
  })
  .meta({ id: 'Rehearsal' });
export type RehearsalView = z.output<typeof rehearsal>;

export const newRehearsal = z.strictObject({
  shoppers: z.number().int().min(MIN_SHOPPERS).max(MAX_SHOPPERS),
});
