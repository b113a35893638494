'use client';

import { useMutation } from '@tanstack/react-query';
import { type AnswerAt, type Options, requestWith } from '@/components/api/request';
import type { Endpoint } from '@/lib/contract/types';
import { type Said, useTell } from './use-tell';

interface Settings<A, G> {
  /** What is said in passing when it is done, and how it is taken back; null: nothing. */
  says?: (answer: A, given: G) => Said | null;
  /** Looks again, however it ended, also after an undo: a refusal may mean that somebody else was faster. */
  refresh?: () => void | Promise<void>;
  /** What else follows when it is done. */
  onDone?: (answer: A, given: G) => void;
  onError?: (error: Error) => void | Promise<void>;
}

/** One operation of the contract that changes something; `mutate` takes its parameters and body. */
export function useAction<E extends Endpoint>(endpoint: E, settings?: Settings<AnswerAt<E>, Options<E>>) {
  return useActionOf((given: Options<E>) => requestWith(endpoint, given), settings);
}

/** `useAction` where what is sent depends on what is given, or takes more than one operation. */
export function useActionOf<A, G = void>(
  send: (given: G) => Promise<A>,
  { says, refresh, onDone, onError }: Settings<A, G> = {},
) {
  const tell = useTell(() => void refresh?.());
  return useMutation({
    mutationFn: send,
    onSuccess: (answer, given) => {
      onDone?.(answer, given);
      const said = says?.(answer, given);
      if (said) tell(said);
    },
    onError,
    onSettled: refresh,
  });
}

interface Standing {
  isPending: boolean;
  error: Error | null;
  submittedAt: number;
}

/** Actions of one place: whether one of them is under way, and what went wrong with the one started last. */
export function together(first: Standing, ...others: Standing[]) {
  const last = others.reduce((one, other) => (other.submittedAt > one.submittedAt ? other : one), first);
  return { isPending: [first, ...others].some(({ isPending }) => isPending), error: last.error };
}
