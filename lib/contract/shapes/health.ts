import { z } from 'zod';
import { READINESS_PROBLEMS } from '../words/health';

const check = z.object({ ok: z.boolean(), problem: z.enum(READINESS_PROBLEMS).optional() });
export type Check = z.output<typeof check>;

export const readiness = z
  .object({
    ready: z.boolean(),
    redis: check,
    postgres: check,
    executor: check,
    orderNumbers: check
      .optional()
      .describe('Whether this process can issue order numbers; only of one that sells.'),
    accepting: check
      .optional()
      .describe('Only of a process that was told to end: it answers for a while, but send it no more.'),
  })
  .meta({ id: 'Readiness' });
export type Readiness = z.output<typeof readiness>;
