'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiProblem } from '@/components/api/api-problem';
import { again, findPlace, leavePlace, readRefusal, takePlace } from '@/components/line/own-place';
import { useRefreshSession } from '@/components/session/use-session';
import { useSharedAnswer } from '@/components/session/use-shared-answer';
import type { ChallengeAnswer } from '@/lib/contract/shapes/challenge';
import type { LineState, OwnPlace } from '@/lib/contract/shapes/line';

/** All who take part ask for their result when the order is there: spread over this time. */
const SPREAD_MS = 4_000;
/** While units are being given. */
const GIVING_EVERY_MS = 3_000;
/** Later on a unit may come back at any time. */
const WAITING_EVERY_MS = 20_000;

/** The wished variant, 0: there is none, and the answer to a challenge, if any. */
type Asked = { variant: number; answer: ChallengeAnswer | null };

/** Follows whether the shopper takes part in a draw and how it ended, and joins or leaves it. @param userId null: signed out */
export function useDraw(saleId: string, userId: string | null, line: LineState | undefined) {
  const client = useQueryClient();
  const refreshSession = useRefreshSession();
  const queryKey = ['draw', saleId, userId];
  const share = useSharedAnswer<OwnPlace | null>(queryKey);
  const isDrawn = line !== undefined && line.early !== null;
  const [mayAsk, setMayAsk] = useState(false);
  useEffect(() => {
    if (!isDrawn) return;
    const timer = setTimeout(() => setMayAsk(true), Math.random() * SPREAD_MS);
    return () => clearTimeout(timer);
  }, [isDrawn]);
  const { data: own, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => findPlace(saleId, signal),
    enabled: userId !== null,
    refetchInterval: ({ state: { data } }) => {
      if (!isDrawn || !mayAsk || !data || data.draw?.passedOver || data.draw?.orderNo) return false;
      return data.draw?.isFinal ? WAITING_EVERY_MS : GIVING_EVERY_MS;
    },
    ...again,
  });
  useEffect(() => {
    if (mayAsk) void refetch();
  }, [mayAsk, refetch]);

  const onError = (error: Error) => {
    if (error instanceof ApiProblem && error.code === 'UNAUTHENTICATED') void refreshSession();
    void client.invalidateQueries({ queryKey });
  };
  const joining = useMutation({
    mutationFn: async ({ variant, answer }: Asked) => {
      if (userId === null) throw new Error('nobody is signed in');
      await client.cancelQueries({ queryKey });
      return takePlace(saleId, userId, answer, variant);
    },
    onSuccess: share,
    onError,
    ...again,
  });
  const leaving = useMutation({
    mutationFn: () => leavePlace(saleId),
    onSuccess: () => share(null),
    onError,
    ...again,
  });
  const { isChallenged, refusal } = readRefusal(joining.error);
  return {
    own,
    isJoining: joining.isPending,
    isChallenged,
    refusal: isChallenged ? null : (refusal ?? readRefusal(leaving.error).refusal),
    join: (variant: number) => joining.mutate({ variant, answer: null }),
    joinWith: async (asked: Asked) => void (await joining.mutateAsync(asked)),
    leave: () => leaving.mutate(),
  };
}
