'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiProblem, refusalOf } from '@/components/api/api-problem';
import { entryHeaders } from '@/components/api/entry-headers';
import { request } from '@/components/api/request';
import type { Attempt } from '@/components/attempt/attempt';
import { updateAttempt } from '@/components/attempt/attempt-store';
import { again } from '@/components/line/own-place';
import { useRefreshSession } from '@/components/session/use-session';
import { useSharedAnswer } from '@/components/session/use-shared-answer';
import type { SaleState } from '@/lib/contract/shapes/sale';
import type { WaitlistPlace } from '@/lib/contract/shapes/waitlist';

const WAITLIST = '/api/sales/{saleId}/waitlist';
/** Pages that were open when the sale sold out ask within this time, not all in the same second. */
const SPREAD_MS = 20_000;

interface Waitlist {
  place: WaitlistPlace | null;
  isJoining: boolean;
  /** Code of the last refusal. */
  refusal: string | null;
  /** @param variant the one that is wished; 0: the sale has none */
  join: (variant: number) => void;
  leave: () => void;
}

/**
 * Follows the shopper's place among those who wait for a unit that comes back, as often as the server says it makes sense. A
 * unit that came becomes the order of this attempt.
 * @param key of the attempt; null: nobody is signed in, or the sale has no waitlist. Then it asks nothing
 */
export function useWaitlist(
  saleId: string,
  key: string | null,
  state: SaleState | null,
  attempt: Attempt,
): Waitlist {
  const client = useQueryClient();
  const refreshSession = useRefreshSession();
  const mayAsk = useMayAsk(state);
  // Drawn once: a new interval starts the wait anew, and the page renders every second.
  const [spread] = useState(() => 0.9 + 0.2 * Math.random());
  const queryKey = ['waitlist', saleId, key];
  const share = useSharedAnswer<WaitlistPlace>(queryKey);
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => request(`GET ${WAITLIST}`, { params: { saleId }, signal }),
    enabled: key !== null && mayAsk && attempt.orderNo === null,
    refetchInterval: ({ state: { data: place } }) => (place?.askAgainMs ? place.askAgainMs * spread : false),
    ...again,
  });
  const options = (ask: (variant: number) => Promise<WaitlistPlace>) => ({
    mutationFn: async (variant: number) => {
      await client.cancelQueries({ queryKey });
      return ask(variant);
    },
    onSuccess: (place: WaitlistPlace) => {
      share(place);
      // Its token is the place's. Another variant may be bought meanwhile, with another one.
      if (key && place.variant > 0) updateAttempt(key, { entry: null });
    },
    onError: (error: Error) => {
      if (error instanceof ApiProblem && error.code === 'UNAUTHENTICATED') void refreshSession();
      void client.invalidateQueries({ queryKey });
    },
    ...again,
  });
  const token = attempt.entry?.entryToken ?? null;
  const joining = useMutation(
    options((variant) =>
      request(`POST ${WAITLIST}`, { params: { saleId }, body: { variant }, headers: entryHeaders(token) }),
    ),
  );
  const leaving = useMutation(options(() => request(`DELETE ${WAITLIST}`, { params: { saleId } })));

  // An order that this page has seen ending is no news.
  const given = data?.state === 'given' && data.orderNo !== attempt.previousOrderNo ? data.orderNo : null;
  useEffect(() => {
    if (key && given && attempt.orderNo === null && !attempt.isPending)
      updateAttempt(key, { orderNo: given, refusal: null });
  }, [key, given, attempt.orderNo, attempt.isPending]);

  const error = joining.error ?? leaving.error;
  return {
    place: key === null ? null : (data ?? null),
    isJoining: joining.isPending,
    refusal: error instanceof ApiProblem ? refusalOf(error) : error ? 'UNKNOWN' : null,
    join: (variant) => {
      leaving.reset();
      joining.mutate(variant);
    },
    leave: () => {
      if (leaving.isPending) return;
      joining.reset();
      leaving.mutate(0);
    },
  };
}

/**
 * Tells when the page may ask: at once if it was opened after the units had gone, or those of one variant, else at some moment
 * soon after that.
 */
function useMayAsk(state: SaleState | null): boolean {
  const [mayAsk, setMayAsk] = useState(false);
  const wasOpen = useRef(false);
  const areOut =
    state && state.gate !== null && (state.stock.variants ?? [state.stock.available]).includes(0);
  useEffect(() => {
    if (areOut === null) return;
    if (!areOut) {
      wasOpen.current = true;
      return;
    }
    const timer = setTimeout(() => setMayAsk(true), wasOpen.current ? SPREAD_MS * Math.random() : 0);
    return () => clearTimeout(timer);
  }, [areOut]);
  return mayAsk;
}
