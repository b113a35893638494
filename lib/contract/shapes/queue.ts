import { z } from 'zod';
import { COPY_KINDS, RUN_STATES, TOPICS, WORKER_REASONS } from '../words/queue';
import { count, pageOf, time } from './common';

const saleId = z.string().max(64).optional();

export const deadLetter = z
  .object({
    id: z.string(),
    consumer: z
      .string()
      .describe(
        'Who gave it up: a consumer (`mail`, `points`), a function (`confirm-paid`) or the way into the database (`relay`).',
      ),
    messageId: z.string(),
    saleId: z.string().nullable(),
    orderNo: z.string().nullable(),
    payload: z.unknown(),
    error: z.string(),
    attempts: count,
    createdAt: time,
    releasedAt: time.nullable(),
    retriedAt: time.nullable(),
    resolvedAt: time.nullable(),
    resolution: z.string().nullable(),
    resolvedBy: z.string().nullable(),
  })
  .meta({ id: 'DeadLetter' });

/** A message or purchase that was given up. */
export type DeadLetterView = z.output<typeof deadLetter>;

export const deadLetterPage = pageOf('deadLetters', deadLetter).extend({
  open: count.describe('How many of what was asked for nobody has dealt with.'),
});
export type DeadLetterPage = z.output<typeof deadLetterPage>;

export const deadLetterFilter = z.object({
  state: z.enum(['open', 'all']).default('open'),
  saleId,
  consumer: z.string().max(100).optional(),
});
export type DeadLetterFilter = z.output<typeof deadLetterFilter>;

/** Which dead letters to retry; fields left out don't filter. */
export const deadLetterChoice = z.object({
  consumer: z.string().min(1).max(100).optional(),
  saleId: z.string().min(1).max(64).optional(),
  after: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional()
    .describe('Only letters made after the one with this id: `goOnAfter` of the last answer.'),
});
export type DeadLetterChoice = z.output<typeof deadLetterChoice>;

export const retriedDeadLetters = z.object({
  retried: count,
  notRetryable: count,
  isMore: z.boolean(),
  goOnAfter: z.string().nullable().describe('The last letter that was tried; null: all were.'),
});
export type RetriedDeadLetters = z.output<typeof retriedDeadLetters>;

export const syncFailure = z
  .object({
    kind: z.enum(COPY_KINDS),
    name: z.string().describe('The copy that is out of step.'),
    since: time,
    attempts: count,
    nextTryAt: time.nullable().describe('Null: nobody tries any more.'),
    error: z.string().nullable().describe('Null for merchants: it may name machines.'),
  })
  .meta({ id: 'SyncFailure' });

/** A change that has not reached the cache or the CDN yet. */
export type AdminSyncFailure = z.output<typeof syncFailure>;

const ageMs = z.number().describe('Milliseconds; 0: nothing waits.');
const takenPerSec = z
  .number()
  .nullable()
  .describe(
    'By the executor, over the last 10 to 60 s that somebody looked; null: nobody has looked before.',
  );

/** The numbers that autoscaling would act on. */
const load = z.object({
  backlog: count.describe('Purchases that wait.'),
  oldestAgeMs: ageMs,
  takenPerSec,
  workers: count.describe('Worker processes that are alive.'),
});
export type Load = z.output<typeof load>;

const suggestion = z.object({ workers: count, why: z.enum(WORKER_REASONS) });
export type Suggestion = z.output<typeof suggestion>;

export const overview = z
  .object({
    outbox: load
      .extend({
        sales: count,
        cap: count.describe('So many may wait in one sale.'),
        suggestion: suggestion.describe('How many workers the load asks for.'),
      })
      .nullable()
      .describe('All outboxes together; null: Redis cannot be reached.'),
    messages: z.array(z.object({ topic: z.string(), waiting: count, failing: count, oldestAgeMs: ageMs })),
    deadLetters: z.array(z.object({ consumer: z.string(), open: count })),
    runs: z
      .object({
        running: count,
        sleeping: count,
        retrying: count,
        failed: count,
        nextWakeAt: time.nullable(),
      })
      .nullable()
      .describe('Null: the executor is not the embedded one.'),
  })
  .meta({ id: 'QueueOverview' });

/** Everything that waits somewhere, with the numbers of this second. */
export type QueueOverview = z.output<typeof overview>;

const flow = z.object({
  depth: count.describe(
    'Not orders yet: in the outbox, in the hands of a relay, or taken by the embedded executor.',
  ),
  pending: count.describe('Handed to a relay and not acknowledged.'),
  oldestAgeMs: ageMs,
  taken: count.describe('Acknowledged since the outbox was made.'),
});

/** The flow of one sale's accepted purchases to their orders: how many wait, and how many relays have acknowledged. */
export type OutboxFlow = z.output<typeof flow>;

export const outbox = z
  .object({ saleId: z.string(), title: z.string(), ...flow.shape, takenPerSec })
  .meta({ id: 'Outbox' });

/** The outbox of one open sale. */
export type AdminOutbox = z.output<typeof outbox>;

export const outboxFilter = z.object({ state: z.enum(['waiting', 'all']).default('waiting'), saleId });
export type OutboxFilter = z.output<typeof outboxFilter>;

export const message = z
  .object({
    id: z.string(),
    topic: z.string(),
    payload: z.record(z.string(), z.string()),
    attempts: count,
    lastError: z.string().nullable().describe('Of its last attempt; null while it is tried, and before.'),
    createdAt: time,
    nextTryAt: time,
  })
  .meta({ id: 'Message' });

/** A message of the transactional outbox that has not been delivered yet. */
export type AdminMessage = z.output<typeof message>;

export const messageFilter = z.object({
  state: z.enum(['waiting', 'failing']).default('waiting'),
  topic: z.enum(TOPICS).optional(),
  saleId,
});
export type MessageFilter = z.output<typeof messageFilter>;

const run = z
  .object({
    runId: z.string(),
    functionId: z.string().describe('`create-orders`, `release-unpaid`, …'),
    event: z.string(),
    saleId: z.string().nullable().describe('Null where a run concerns several sales.'),
    state: z.enum(RUN_STATES),
    attempts: count.nullable().describe('Before this one; null for one that failed.'),
    startedAt: time,
    at: time.nullable().describe('When it wakes, is tried again, or failed; null while it runs.'),
    error: z.string().nullable(),
  })
  .meta({ id: 'Run' });

/** Work that the embedded executor does, or has failed to do. */
export type AdminRun = z.output<typeof run>;

export const runPage = pageOf('runs', run).extend({
  executor: z
    .enum(['embedded', 'elsewhere'])
    .describe('Elsewhere: Inngest Cloud, or a server of its own, has the runs; none are told here.'),
});
export type RunPage = z.output<typeof runPage>;

export const runFilter = z.object({ state: z.enum(RUN_STATES).default('running'), saleId });
export type RunFilter = z.output<typeof runFilter>;
