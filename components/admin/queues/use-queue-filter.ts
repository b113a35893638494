'use client';

import { useUrlFilter } from '../use-url-filter';

const CHOICES = {
  outboxes: ['waiting', 'all'],
  messages: ['failing', 'waiting'],
  runs: ['running', 'sleeping', 'retrying', 'failed'],
  letters: ['open', 'all'],
} as const;
type Choices = { [Name in keyof typeof CHOICES]: (typeof CHOICES)[Name][number] };

/** What each list shows; empty: everything. */
export type QueueFilter = Choices & { topic: string; consumer: string; saleId: string };

/** What the lists show, kept in the address so that a link or a reload shows the same. For the browser only. */
export const useQueueFilter = () => useUrlFilter(readFilter);

function readFilter(params: URLSearchParams): QueueFilter {
  const choice = <T extends string>(name: keyof Choices, known: readonly [T, ...T[]]): T =>
    known.find((value) => value === params.get(name)) ?? known[0];
  return {
    ...{ outboxes: choice('outboxes', CHOICES.outboxes), messages: choice('messages', CHOICES.messages) },
    ...{ runs: choice('runs', CHOICES.runs), letters: choice('letters', CHOICES.letters) },
    topic: params.get('topic') ?? '',
    consumer: params.get('consumer') ?? '',
    saleId: params.get('saleId') ?? '',
  };
}
