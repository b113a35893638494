'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { ApiProblem } from '@/components/api/api-problem';
import { useRefreshSession } from '@/components/session/use-session';
import { useSharedAnswer } from '@/components/session/use-shared-answer';
import type { ChallengeAnswer } from '@/lib/contract/shapes/challenge';
import type { LineState, OwnPlace } from '@/lib/contract/shapes/line';
import { computePlace } from './compute-place';
import { again, findPlace, leavePlace, readRefusal, takePlace } from './own-place';

const FRESH_MS = 15_000;
/** While it is one's turn, another tab or device may use it. */
const TURN_EVERY_MS = 5_000;

interface OwnLine {
  /** Null: not in the line; undefined: not known yet. */
  own: OwnPlace | null | undefined;
  /** In the order of admission, worked out here; null while unknown. */
  place: number | null;
  isJoining: boolean;
  isChallenged: boolean;
  /** Code of the last refusal to join or leave. */
  refusal: string | null;
  join: () => void;
  /** Joins with the answer to a challenge. @throws ApiProblem */
  joinWith: (answer: ChallengeAnswer | null) => Promise<void>;
  leave: () => void;
}

/**
 * Follows the shopper's own place in a sale's line, and joins or leaves it. Between joining and the turn it asks only if the place
 * can't be computed: place and wait follow from the number and from what the state tells everybody.
 * @param userId null: nobody is signed in, or the sale has no waiting room; then it asks nothing
 */
export function useLine(saleId: string, userId: string | null, line: LineState | undefined): OwnLine {
  const client = useQueryClient();
  const refreshSession = useRefreshSession();
  const queryKey = ['line', saleId, userId];
  const share = useSharedAnswer<OwnPlace | null>(queryKey);
  const { data: own } = useQuery({
    queryKey,
    queryFn: ({ signal }) => findPlace(saleId, signal),
    enabled: userId !== null,
    staleTime: FRESH_MS,
    refetchInterval: ({ state: { data } }) =>
      data && !data.isOver && data.place !== null && line && data.place < line.admitted
        ? TURN_EVERY_MS
        : false,
    ...again,
  });
  const refresh = useCallback(() => {
    void client.invalidateQueries({ queryKey: ['line', saleId] });
  }, [client, saleId]);

  const joining = useMutation({
    mutationFn: async (answer: ChallengeAnswer | null) => {
      if (userId === null) throw new Error('nobody is signed in');
      await client.cancelQueries({ queryKey });
      return takePlace(saleId, userId, answer);
    },
    onSuccess: share,
    onError: (error: Error) => {
      if (error instanceof ApiProblem && error.code === 'UNAUTHENTICATED') void refreshSession();
    },
    ...again,
  });
  const leaving = useMutation({
    mutationFn: () => leavePlace(saleId),
    onSuccess: () => share(null),
    onSettled: refresh,
    ...again,
  });

  const known = useKnownPlace(own, line, refresh);
  const isAdmitted = known !== null && line !== undefined && known < line.admitted;
  useEffect(() => {
    if (isAdmitted) refresh();
  }, [isAdmitted, refresh]);

  const { mutate, mutateAsync } = joining;
  const { mutate: leave } = leaving;
  return {
    own,
    place: known,
    isJoining: joining.isPending,
    ...readRefusal(joining.error),
    join: useCallback(() => mutate(null), [mutate]),
    joinWith: useCallback(
      async (answer: ChallengeAnswer | null) => {
        await mutateAsync(answer);
      },
      [mutateAsync],
    ),
    leave: useCallback(() => leave(), [leave]),
  };
}

/**
 * Returns the place in the order of admission, null while unknown. It is worked out once, when what it follows from is
 * public.
 */
function useKnownPlace(
  own: OwnPlace | null | undefined,
  line: LineState | undefined,
  refresh: () => void,
): number | null {
  const [place, setPlace] = useState<{ of: string; is: number } | null>(null);
  const number = own?.number ?? null;
  const shuffled = line?.shuffledWith ? `${line.shuffledWith.seed}:${line.early}:${number}` : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies(line): `shuffled` says what of it matters
  useEffect(() => {
    if (!line || shuffled === null || number === null) return;
    let isCurrent = true;
    void computePlace(line, number)
      .catch(() => null)
      .then((is) => {
        if (!isCurrent) return;
        if (is === null) refresh();
        else setPlace({ of: shuffled, is });
      });
    return () => {
      isCurrent = false;
    };
  }, [shuffled, number, refresh]);
  return place && place.of === shuffled ? place.is : (own?.place ?? null);
}
