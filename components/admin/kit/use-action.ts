'use client';

import { useMutation } from '@tanstack/react-query';
import { type AnswerAt, type Options, requestWith } from '@/components/api/request';
import type { Endpoint } from '@/lib/contract/types';
import { type Said, useTell } from './use-tell';

interface Settings<A, G> {
  /** Makes the toast that reports success, with its undo; null: no toast. */
  says?: (answer: A, given: G) => Said | null;
  /**
   * Reloads the data after every end of the action and after an undo. A refusal counts too: it may mean that another
   * user was faster.
   */
  refresh?: () => void | Promise<void>;
  /** Does what else follows a success. */
  onDone?: (answer: A, given: G) => void;
  onError?: (error: Error) => void | Promise<void>;
}

/** Runs one operation of the contract that changes something. `mutate` takes its parameters and body. */
export function useAction<E extends Endpoint>(endpoint: E, settings?: Settings<AnswerAt<E>, Options<E>>) {
  return useActionOf((given: Options<E>) => requestWith(endpoint, given), settings);
}

/** Like `useAction`, for requests that depend on what is given, or that take more than one operation. */
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

/** Sums up several actions of one place: whether one of them is under way, and the error of the one started last. */
export function together(first: Standing, ...others: Standing[]) {
  const last = others.reduce((one, other) => (other.submittedAt > one.submittedAt ? other : one), first);
  return { isPending: [first, ...others].some(({ isPending }) => isPending), error: last.error };
}
