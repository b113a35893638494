'use client';

import type { DeadLetterFilter, MessageFilter, OutboxFilter } from '@/lib/contract/shapes/queue';
import { RUN_STATES, type RunState } from '@/lib/contract/words/queue';
import { useUrlFilter } from '../kit/use-url-filter';

type Choices = {
  outboxes: OutboxFilter['state'];
  messages: MessageFilter['state'];
  runs: RunState;
  letters: DeadLetterFilter['state'];
};

/** The choices of each filter. The first one is the default. */
const CHOICES: { [Name in keyof Choices]: readonly [Choices[Name], ...Choices[Name][]] } = {
  outboxes: ['waiting', 'all'],
  messages: ['failing', 'waiting'],
  runs: RUN_STATES,
  letters: ['open', 'all'],
};

/** The filter of each list; an empty text means everything. */
export type QueueFilter = Choices & { topic: string; consumer: string; saleId: string };

/** Keeps the lists' filters in the address, so that a link or a reload shows the same lists. For the browser only. */
export const useQueueFilter = () => useUrlFilter(readFilter);

function readFilter(params: URLSearchParams): QueueFilter {
  const choice = <T extends string>(name: keyof Choices, known: readonly [T, ...T[]]): T =>
    known.find((value) => value === params.get(name)) ?? known[0];
  return {
    outboxes: choice('outboxes', CHOICES.outboxes),
    messages: choice('messages', CHOICES.messages),
    runs: choice('runs', CHOICES.runs),
    letters: choice('letters', CHOICES.letters),
    topic: params.get('topic') ?? '',
    consumer: params.get('consumer') ?? '',
    saleId: params.get('saleId') ?? '',
  };
}
