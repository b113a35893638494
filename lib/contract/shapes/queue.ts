import { z } from 'zod';
import type { DeadLetterView } from '@/lib/desk/dead-letters/list-dead-letters';
import type { DeskSyncFailure } from '@/lib/desk/list-sync-failures';
import type { DeskMessage } from '@/lib/desk/queues/list-messages';
import { type DeskRun, RUN_STATES } from '@/lib/desk/queues/list-runs';
import type { DeskOutbox } from '@/lib/desk/queues/read-outboxes';
import type { QueueOverview } from '@/lib/desk/queues/read-overview';
import { count, time } from './common';

export const deadLetter = z
  .object({
    id: z.string(),
    consumer: z.string().describe('Who gave it up.'),
    ...{ messageId: z.string(), saleId: z.string().nullable(), orderNo: z.string().nullable() },
    ...{ payload: z.unknown(), error: z.string(), attempts: count, createdAt: time },
    ...{ releasedAt: time.nullable(), retriedAt: time.nullable(), resolvedAt: time.nullable() },
    ...{ resolution: z.string().nullable(), resolvedBy: z.string().nullable() },
  })
  .meta({ id: 'DeadLetter' }) satisfies z.ZodType<DeadLetterView>;

export const syncFailure = z
  .object({
    kind: z.enum(['cache', 'cdn']),
    name: z.string().describe('The copy that is out of step.'),
    ...{ since: time, attempts: count },
    nextTryAt: time.nullable().describe('Null: nobody tries any more.'),
    error: z.string().nullable().describe('Null for merchants: it may name machines.'),
  })
  .meta({ id: 'SyncFailure' }) satisfies z.ZodType<DeskSyncFailure>;

const ageMs = z.number().describe('Milliseconds; 0: nothing waits.');
const takenPerSec = z
  .number()
  .nullable()
  .describe('By the executor, lately; null: nobody has looked before.');

export const overview = z
  .object({
    outbox: z
      .object({
        ...{ backlog: count, oldestAgeMs: ageMs, takenPerSec, workers: count, sales: count },
        cap: count.describe('So many may wait in one sale.'),
        suggestion: z
          .object({
            workers: count,
            why: z.enum(['keeping_up', 'none', 'measuring', 'stuck', 'behind']),
          })
          .describe('How many workers the load asks for.'),
      })
      .nullable()
      .describe('All outboxes together; null: Redis cannot be reached.'),
    messages: z.array(z.object({ topic: z.string(), waiting: count, failing: count, oldestAgeMs: ageMs })),
    deadLetters: z.array(z.object({ consumer: z.string(), open: count })),
    runs: z
      .object({
        ...{ running: count, sleeping: count, retrying: count, failed: count },
        nextWakeAt: time.nullable(),
      })
      .nullable()
      .describe('Null: the executor is not the embedded one.'),
  })
  .meta({ id: 'QueueOverview' }) satisfies z.ZodType<QueueOverview>;

export const outbox = z
  .object({
    ...{ saleId: z.string(), title: z.string() },
    depth: count.describe('Waiting, those a relay has in hand included.'),
    pending: count.describe('Handed to a relay and not acknowledged.'),
    oldestAgeMs: ageMs,
    taken: count.describe('Ever.'),
    takenPerSec,
  })
  .meta({ id: 'Outbox' }) satisfies z.ZodType<DeskOutbox>;

export const message = z
  .object({
    ...{ id: z.string(), topic: z.string(), payload: z.record(z.string(), z.string()), attempts: count },
    lastError: z.string().nullable().describe('Null while it is tried, and before.'),
    ...{ createdAt: time, nextTryAt: time },
  })
  .meta({ id: 'Message' }) satisfies z.ZodType<DeskMessage>;

export const run = z
  .object({
    runId: z.string(),
    functionId: z.string().describe('`create-orders`, `release-unpaid`, …'),
    ...{ event: z.string(), saleId: z.string().nullable(), state: z.enum(RUN_STATES) },
    attempts: count.nullable().describe('Before this one; null for one that failed.'),
    startedAt: time,
    at: time.nullable().describe('When it wakes, is tried again, or failed; null while it runs.'),
    error: z.string().nullable(),
  })
  .meta({ id: 'Run' }) satisfies z.ZodType<DeskRun>;
