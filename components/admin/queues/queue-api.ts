import { fetchJson } from '@/components/api/fetch-json';
import type { DeadLetterView } from '@/components/api/types';
import type { QueueFilter } from './use-queue-filter';

export interface QueueOverview {
  /** Null while Redis can't be reached. */
  outbox: {
    backlog: number;
    oldestAgeMs: number;
    takenPerSec: number | null;
    workers: number;
    sales: number;
    cap: number;
    suggestion: { workers: number; why: 'keeping_up' | 'none' | 'measuring' | 'stuck' | 'behind' };
  } | null;
  messages: { topic: string; waiting: number; failing: number; oldestAgeMs: number }[];
  deadLetters: { consumer: string; open: number }[];
  /** Null where the executor is elsewhere. */
  runs: {
    running: number;
    sleeping: number;
    retrying: number;
    failed: number;
    nextWakeAt: number | null;
  } | null;
}

export interface OutboxView {
  saleId: string;
  title: string;
  depth: number;
  pending: number;
  oldestAgeMs: number;
  takenPerSec: number | null;
}

export interface MessageView {
  id: string;
  topic: string;
  payload: Record<string, string>;
  attempts: number;
  lastError: string | null;
  createdAt: number;
  nextTryAt: number;
}

export interface RunView {
  runId: string;
  functionId: string;
  event: string;
  saleId: string | null;
  attempts: number | null;
  startedAt: number;
  at: number | null;
  error: string | null;
}

type Paged<T> = T & { nextCursor: string | null };

const QUEUES = '/api/admin/queues';
const LETTERS = '/api/admin/dead-letters';

const read = <T>(path: string, query: Record<string, string | null>, signal?: AbortSignal) => {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return fetchJson<T>(`${path}?${new URLSearchParams(given)}`, { signal, cache: 'no-store' });
};

export const getOverview = (signal?: AbortSignal) => read<QueueOverview>(QUEUES, {}, signal);

export const getOutboxes = ({ outboxes, saleId }: QueueFilter, cursor: string | null, signal?: AbortSignal) =>
  read<Paged<{ outboxes: OutboxView[] }>>(`${QUEUES}/outboxes`, { state: outboxes, saleId, cursor }, signal);

export const getMessages = (
  { messages, topic, saleId }: QueueFilter,
  cursor: string | null,
  signal?: AbortSignal,
) =>
  read<Paged<{ messages: MessageView[] }>>(
    `${QUEUES}/messages`,
    { state: messages, topic, saleId, cursor },
    signal,
  );

export const postMessageRetry = (id: string) =>
  fetchJson<unknown>(`${QUEUES}/messages/${id}/retry`, { method: 'POST', body: {} });

export const getRuns = ({ runs, saleId }: QueueFilter, cursor: string | null, signal?: AbortSignal) =>
  read<Paged<{ executor: 'embedded' | 'elsewhere'; runs: RunView[] }>>(
    `${QUEUES}/runs`,
    { state: runs, saleId, cursor },
    signal,
  );

export const getLetters = (
  { letters, consumer, saleId }: QueueFilter,
  cursor: string | null,
  signal?: AbortSignal,
) =>
  read<Paged<{ deadLetters: DeadLetterView[]; open: number }>>(
    LETTERS,
    { state: letters, consumer, saleId, cursor },
    signal,
  );

/** Tries the oldest 1,000 open letters of the filter again. */
export const postRetryAll = ({ consumer, saleId }: QueueFilter) =>
  fetchJson<{ retried: number; notRetryable: number; isMore: boolean }>(`${LETTERS}/retry`, {
    method: 'POST',
    body: { consumer: consumer || undefined, saleId: saleId || undefined },
    timeoutMs: 120_000,
  });
