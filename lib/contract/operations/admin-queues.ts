import { z } from 'zod';
import { area } from '../operation';
import { page, pageOf, reasonBody } from '../shapes/common';
import {
  deadLetter,
  deadLetterChoice,
  deadLetterFilter,
  deadLetterPage,
  message,
  messageFilter,
  outbox,
  outboxFilter,
  overview,
  retriedDeadLetters,
  runFilter,
  runPage,
  syncFailure,
} from '../shapes/queue';

export const adminQueues = area(
  'Admin: queues',
  'What waits, what is tried again, what was given up, and what copies do not know yet.',
);
const { operation } = adminQueues;

export const readQueues = operation('GET /api/admin/queues', {
  who: 'seeAdmin',
  says: 'All that waits somewhere, in numbers of this second; merchants: of their own sales.',
  answers: { 200: overview },
});

export const listOutboxes = operation('GET /api/admin/queues/outboxes', {
  who: 'seeAdmin',
  says: 'The way of accepted purchases into the database, by sale: those in which something waits, or all that are open.',
  query: page.extend(outboxFilter.shape),
  answers: { 200: pageOf('outboxes', outbox) },
});

export const listMessages = operation('GET /api/admin/queues/messages', {
  who: 'seeAdmin',
  says: 'Messages that are not delivered yet, newest first; or of these the ones that have failed before.',
  query: page.extend(messageFilter.shape),
  answers: { 200: pageOf('messages', message) },
});

export const retryMessage = operation('POST /api/admin/queues/messages/{id}/retry', {
  who: 'manageSales',
  says: 'Tries one that failed now instead of later.',
  answers: { 202: z.object({ id: z.string(), status: z.literal('due') }) },
  errors: ['MESSAGE_NOT_FOUND', 'MESSAGE_STATE'],
});

export const listRuns = operation('GET /api/admin/queues/runs', {
  who: 'seeAdmin',
  says: 'What the embedded executor does: what runs, the longest first; what sleeps or is tried again, the soonest first; what failed within a day, the latest first.',
  query: page.extend(runFilter.shape),
  answers: { 200: runPage },
});

export const listDeadLetters = operation('GET /api/admin/dead-letters', {
  who: 'seeAdmin',
  says: 'Messages and purchases that were given up, newest first.',
  query: page.extend(deadLetterFilter.shape),
  answers: { 200: deadLetterPage },
});

export const retryDeadLetter = operation('POST /api/admin/dead-letters/{id}/retry', {
  who: 'manageSales',
  says: 'Tries one again. What fails once more becomes a new dead letter.',
  answers: { 200: deadLetter },
  errors: ['DEAD_LETTER_NOT_FOUND', 'DEAD_LETTER_STATE'],
});

export const discardDeadLetter = operation('POST /api/admin/dead-letters/{id}/discard', {
  who: 'manageSales',
  says: 'Closes one without trying again.',
  body: reasonBody,
  answers: { 200: deadLetter },
  errors: ['DEAD_LETTER_NOT_FOUND', 'DEAD_LETTER_STATE'],
});

export const retryDeadLetters = operation('POST /api/admin/dead-letters/retry', {
  who: 'manageSales',
  says: 'Tries all again, or those of a consumer or a sale; 1,000 at a time, the oldest first.',
  body: deadLetterChoice,
  isBodyOptional: true,
  answers: { 200: retriedDeadLetters },
});

export const listSyncFailures = operation('GET /api/admin/sync-failures', {
  who: 'seeAdmin',
  says: 'Changes that the cache or the CDN could not be told yet.',
  query: page,
  answers: { 200: pageOf('failures', syncFailure) },
});
