import { z } from 'zod';
import { discardDeadLetterSchema } from '@/lib/desk/dead-letters/discard-dead-letter';
import { type DeadLetterView, deadLetterFilterSchema } from '@/lib/desk/dead-letters/list-dead-letters';
import { retryDeadLettersSchema } from '@/lib/desk/dead-letters/retry-dead-letter';
import type { DeskSyncFailure } from '@/lib/desk/list-sync-failures';
import { pageSchema } from '@/lib/http/cursor';
import type { Area } from '../operation';
import { count, pageOf, time } from '../views/common';

const deadLetter = z
  .object({
    id: z.string(),
    consumer: z.string().describe('Who gave it up.'),
    ...{ messageId: z.string(), saleId: z.string().nullable(), orderNo: z.string().nullable() },
    ...{ payload: z.unknown(), error: z.string(), attempts: count, createdAt: time },
    ...{ releasedAt: time.nullable(), retriedAt: time.nullable(), resolvedAt: time.nullable() },
    ...{ resolution: z.string().nullable(), resolvedBy: z.string().nullable() },
  })
  .meta({ id: 'DeadLetter' }) satisfies z.ZodType<DeadLetterView>;

const syncFailure = z
  .object({
    kind: z.enum(['cache', 'cdn']),
    name: z.string().describe('The copy that is out of step.'),
    ...{ since: time, attempts: count },
    nextTryAt: time.nullable().describe('Null: nobody tries any more.'),
    error: z.string().nullable().describe('Null for merchants: it may name machines.'),
  })
  .meta({ id: 'SyncFailure' }) satisfies z.ZodType<DeskSyncFailure>;

export const deskQueues: Area = {
  name: 'Desk: queues',
  says: 'What was given up, and what copies do not know yet.',
  operations: [
    {
      id: 'listDeadLetters',
      method: 'GET',
      path: '/api/admin/dead-letters',
      who: 'seeDesk',
      says: 'Messages and purchases that were given up, newest first.',
      query: pageSchema.extend(deadLetterFilterSchema.shape),
      answers: { 200: pageOf('deadLetters', deadLetter) },
    },
    {
      id: 'retryDeadLetter',
      method: 'POST',
      path: '/api/admin/dead-letters/{id}/retry',
      who: 'desk',
      says: 'Tries one again. What fails once more becomes a new dead letter.',
      answers: { 200: deadLetter },
      errors: ['DEAD_LETTER_NOT_FOUND', 'DEAD_LETTER_STATE'],
    },
    {
      id: 'discardDeadLetter',
      method: 'POST',
      path: '/api/admin/dead-letters/{id}/discard',
      who: 'desk',
      says: 'Closes one without trying again.',
      body: discardDeadLetterSchema,
      answers: { 200: deadLetter },
      errors: ['DEAD_LETTER_NOT_FOUND', 'DEAD_LETTER_STATE'],
    },
    {
      id: 'retryDeadLetters',
      method: 'POST',
      path: '/api/admin/dead-letters/retry',
      who: 'desk',
      says: "Tries all again, or one consumer's; the oldest 1,000.",
      body: retryDeadLettersSchema,
      isBodyOptional: true,
      answers: { 200: z.object({ retried: count, notRetryable: count, isMore: z.boolean() }) },
    },
    {
      id: 'listSyncFailures',
      method: 'GET',
      path: '/api/admin/sync-failures',
      who: 'seeDesk',
      says: 'Changes that the cache or the CDN could not be told yet.',
      query: pageSchema,
      answers: { 200: pageOf('failures', syncFailure) },
    },
  ],
};
