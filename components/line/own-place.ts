'use client';

import { ApiProblem, problemCode } from '@/components/api/api-problem';
import { backoffMs, RETRY } from '@/components/api/backoff';
import { request } from '@/components/api/request';
import type { ChallengeAnswer } from '@/lib/contract/shapes/challenge';
import type { OwnPlace } from '@/lib/contract/shapes/line';
import { ownNonce } from './own-nonce';

/** The path of the shopper's own place in a waiting room or a draw. */
const LINE = '/api/sales/{saleId}/line';
const MAX_TRIES = 8;

/** How a request for the own place is tried again. */
export const again = {
  retry: (tries: number, error: Error) =>
    tries < MAX_TRIES && error instanceof ApiProblem && error.isTransient,
  retryDelay: (tries: number, error: Error) =>
    backoffMs(RETRY, tries + 1, error instanceof ApiProblem ? error.retryAfterMs : null),
};

/** Returns the shopper's own place; null: there is none. */
export async function findPlace(saleId: string, signal: AbortSignal): Promise<OwnPlace | null> {
  try {
    return await request(`GET ${LINE}`, { params: { saleId }, signal });
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return null;
    throw error;
  }
}

/**
 * Joins; a browser that comes for the first time gets a cookie from the refusal, and asks once more.
 * @param variant that is wished in a draw; left out: there is nothing to wish
 */
export async function takePlace(
  saleId: string,
  userId: string,
  answer: ChallengeAnswer | null,
  variant?: number,
): Promise<OwnPlace> {
  const body = { nonce: ownNonce(saleId, userId), challenge: answer ?? undefined, variant };
  const ask = () => request(`POST ${LINE}`, { params: { saleId }, body });
  return ask().catch((error: unknown) => {
    if (error instanceof ApiProblem && error.code === 'DEVICE_REQUIRED') return ask();
    throw error;
  });
}

/** Gives the own place up. */
export const leavePlace = (saleId: string) => request(`DELETE ${LINE}`, { params: { saleId } });

/** Splits a refusal to join: `isChallenged` if a solved challenge lifts it, otherwise its code to show. */
export function readRefusal(error: Error | null): { isChallenged: boolean; refusal: string | null } {
  const code = error && problemCode(error);
  const isChallenged = code === 'CHALLENGE_REQUIRED' || code === 'CHALLENGE_FAILED';
  return { isChallenged, refusal: isChallenged ? null : code };
}
