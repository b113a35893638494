import { z } from 'zod';
import { CHECK_IDS } from '../words/preflight';

const check = z.object({
  id: z.enum(CHECK_IDS),
  ok: z.boolean(),
  severity: z
    .enum(['stop', 'warn'])
    .describe('What it means if it is not ok: `stop` forbids to publish, `warn` leaves it to the merchant.'),
  reason: z.string().nullable().describe('What is wrong with it, stable; null: nothing.'),
  detail: z.string().describe('The same in words.'),
  values: z
    .record(z.string(), z.union([z.number(), z.string()]))
    .describe('The numbers in it: milliseconds, seconds or units; `address`: where callbacks come.'),
});

/** The result of one check before a sale is published. */
export type Check = z.output<typeof check>;

export const preflight = z
  .object({ ok: z.boolean().describe('Nothing forbids to publish.'), checks: z.array(check) })
  .meta({ id: 'Preflight' });

export type Preflight = z.output<typeof preflight>;
