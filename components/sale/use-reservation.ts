'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { ApiProblem } from '@/components/api/api-problem';
import { backoffMs, RETRY } from '@/components/api/backoff';
import { request } from '@/components/api/request';
import { useRefreshSession } from '@/components/session/use-session';
import { useSharedAnswer } from '@/components/session/use-shared-answer';
import { reservationKey } from '@/components/session/visit-keys';
import type { OwnReservation } from './reservation-view';

const RESERVATION = '/api/sales/{saleId}/reservation';
/**
 * After this time the page asks again when the shopper returns to the tab: another device may have changed the
 * reservation.
 */
const FRESH_MS = 10_000;
const MAX_TRIES = 8;
/** The count of all reservations may be a second old in the server, and another second in a cache. */
const COUNTED_AFTER_MS = 2_200;

interface Reservation {
  own: OwnReservation;
  isReserving: boolean;
  /** Code of the last refusal. */
  refusal: string | null;
  reserve: () => void;
  cancel: () => void;
}

const isTransient = (error: Error) => error instanceof ApiProblem && error.isTransient;
const again = {
  retry: (tries: number, error: Error) => tries < MAX_TRIES && isTransient(error),
  retryDelay: (tries: number, error: Error) =>
    backoffMs(RETRY, tries + 1, error instanceof ApiProblem ? error.retryAfterMs : null),
};

/** Returns when the shopper reserved, epoch ms; null without a reservation. */
async function findOwn(saleId: string, signal: AbortSignal): Promise<number | null> {
  try {
    return (await request(`GET ${RESERVATION}`, { params: { saleId }, signal })).reservedAt;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return null;
    throw error;
  }
}

/**
 * Returns the shopper's reservation in a sale and functions to change it. Retries requests that got no answer;
 * reserving twice makes one reservation.
 * @param userId null if no shopper is signed in, or the sale takes no reservations: then it asks nothing
 * @param onChange called when enough time has passed for the count to include a change
 */
export function useReservation(saleId: string, userId: string | null, onChange: () => void): Reservation {
  const client = useQueryClient();
  const refreshSession = useRefreshSession();
  const queryKey = reservationKey(saleId, userId);
  const share = useSharedAnswer<number | null>(queryKey);
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => findOwn(saleId, signal),
    enabled: userId !== null,
    staleTime: FRESH_MS,
    ...again,
  });
  const options = (reservedAtOf: () => Promise<number | null>) => ({
    mutationFn: async () => {
      await client.cancelQueries({ queryKey });
      return reservedAtOf();
    },
    onSuccess: (reservedAt: number | null) => {
      setTimeout(onChange, COUNTED_AFTER_MS);
      return share(reservedAt);
    },
    onError: (error: Error) => {
      if (error instanceof ApiProblem && error.code === 'UNAUTHENTICATED') void refreshSession();
      void client.invalidateQueries({ queryKey });
    },
    ...again,
  });
  const reserving = useMutation(
    options(async () => (await request(`POST ${RESERVATION}`, { params: { saleId } })).reservedAt),
  );
  const cancelling = useMutation(
    options(async () => {
      await request(`DELETE ${RESERVATION}`, { params: { saleId } });
      return null;
    }),
  );

  const own = data === undefined ? 'unknown' : data === null ? 'none' : 'standing';
  const { mutate: reserve, reset: forgetReserving } = reserving;
  const { mutate: cancel, isPending: isCancelling } = cancelling;
  const error = reserving.error ?? cancelling.error;
  return {
    own,
    isReserving: reserving.isPending,
    refusal: error instanceof ApiProblem ? error.code : error ? 'UNKNOWN' : null,
    reserve: useCallback(() => reserve(), [reserve]),
    cancel: useCallback(() => {
      if (isCancelling) return;
      forgetReserving();
      cancel();
    }, [cancel, isCancelling, forgetReserving]),
  };
}
