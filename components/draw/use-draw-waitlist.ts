'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '@/components/api/api-problem';
import { backoffMs, RETRY } from '@/components/api/backoff';
import { entryHeaders } from '@/components/api/entry-headers';
import { request } from '@/components/api/request';
import { useRefreshSession } from '@/components/session/use-session';
import type { ChallengeAnswer } from '@/lib/contract/shapes/challenge';
import type { WaitlistPlace } from '@/lib/contract/shapes/waitlist';

const WAITLIST = '/api/sales/{saleId}/waitlist';
const MAX_TRIES = 8;

const again = {
  retry: (tries: number, error: Error) =>
    tries < MAX_TRIES && error instanceof ApiProblem && error.isTransient,
  retryDelay: (tries: number, error: Error) =>
    backoffMs(RETRY, tries + 1, error instanceof ApiProblem ? error.retryAfterMs : null),
};

export interface DrawPlace {
  /** Null: not known. */
  place: WaitlistPlace | null;
  isJoining: boolean;
  isChallenged: boolean;
  /** The last try came while those who were drawn were still being put in line. */
  isNotYet: boolean;
  /** Code of the last refusal to join or leave. */
  refusal: string | null;
  join: () => void;
  /** Joins with the answer to a challenge. @throws ApiProblem */
  joinWith: (answer: ChallengeAnswer | null) => Promise<void>;
  leave: () => void;
}

/** Until all who were drawn stand in line, nobody takes a place behind them. */
const NOT_YET = new Set(['DRAW_ONLY', 'NOT_STARTED']);

/**
 * Knows the shopper's place among those who wait for units of a draw that come back, and changes it. Joining asks for the
 * entry, which checks what a sale asks for, and takes the place with its token.
 * @param userId null: it asks nothing, because nobody is signed in or the draw is not done
 */
export function useDrawWaitlist(saleId: string, userId: string | null): DrawPlace {
  const client = useQueryClient();
  const refreshSession = useRefreshSession();
  // Drawn once: a new interval starts the wait anew, and the page renders every second.
  const [spread] = useState(() => 0.9 + 0.2 * Math.random());
  const queryKey = ['waitlist', saleId, userId];
  const { data: place = null } = useQuery({
    queryKey,
    queryFn: ({ signal }) => request(`GET ${WAITLIST}`, { params: { saleId }, signal }),
    enabled: userId !== null,
    refetchInterval: ({ state: { data } }) => (data?.askAgainMs ? data.askAgainMs * spread : false),
    ...again,
  });
  // Given to each press: `reset` takes it from the press before, whose late answer would hide what the last one brings.
  const tell = { onSuccess: (told: WaitlistPlace) => client.setQueryData(queryKey, told) };
  const options = {
    onError: (error: Error) => {
      if (error instanceof ApiProblem && error.code === 'UNAUTHENTICATED') void refreshSession();
      void client.invalidateQueries({ queryKey });
    },
    ...again,
  };
  const joining = useMutation({
    mutationFn: async (challenge: ChallengeAnswer | null) => {
      await client.cancelQueries({ queryKey });
      const { entryToken } = await request('POST /api/sales/{saleId}/entry', {
        params: { saleId },
        body: { challenge: challenge ?? undefined },
      });
      return request(`POST ${WAITLIST}`, { params: { saleId }, headers: entryHeaders(entryToken) });
    },
    ...options,
  });
  const leaving = useMutation({
    mutationFn: async () => {
      await client.cancelQueries({ queryKey });
      return request(`DELETE ${WAITLIST}`, { params: { saleId } });
    },
    ...options,
  });
  const error = joining.error ?? leaving.error;
  const code = error instanceof ApiProblem ? error.code : error ? 'UNKNOWN' : null;
  const isChallenged = code === 'CHALLENGE_REQUIRED' || code === 'CHALLENGE_FAILED';
  return {
    place,
    isJoining: joining.isPending,
    isChallenged,
    isNotYet: code !== null && NOT_YET.has(code),
    refusal: isChallenged ? null : code,
    join: () => {
      leaving.reset();
      joining.mutate(null, tell);
    },
    joinWith: async (answer: ChallengeAnswer | null) => void (await joining.mutateAsync(answer, tell)),
    leave: () => {
      joining.reset();
      leaving.mutate(undefined, tell);
    },
  };
}
