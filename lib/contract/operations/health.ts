import { z } from 'zod';
import { READINESS_PROBLEMS, type Readiness } from '@/lib/http/check-readiness';
import { type Area, operation } from '../operation';

const check = z.object({ ok: z.boolean(), problem: z.enum(READINESS_PROBLEMS).optional() });

const readiness = z
  .object({
    ...{ ready: z.boolean(), redis: check, postgres: check, executor: check },
    orderNumbers: check
      .optional()
      .describe('Whether this process can issue order numbers; only of one that sells.'),
  })
  .meta({ id: 'Readiness' }) satisfies z.ZodType<Readiness>;

export const isAlive = operation({
  id: 'isAlive',
  method: 'GET',
  path: '/livez',
  who: 'nothing',
  says: 'Alive as long as the process answers; asks nobody else.',
  answers: { 200: { mediaType: 'text/plain', says: 'ok' } },
});

export const isReady = operation({
  id: 'isReady',
  method: 'GET',
  path: '/readyz',
  who: 'nothing',
  says: 'Ready to sell?',
  answers: { 200: readiness, 503: readiness },
});

export const readDocument = operation({
  id: 'readDocument',
  method: 'GET',
  path: '/api/openapi.json',
  who: 'nothing',
  says: 'This document.',
  answers: { 200: z.record(z.string(), z.unknown()) },
});

export const health: Area = {
  name: 'Health',
  says: 'For load balancers and for whoever reads this.',
  operations: [isAlive, isReady, readDocument],
};
