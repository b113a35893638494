'use client';

import { useCallback, useEffect, useState } from 'react';
import { ApiProblem, problemCode, refusalOf } from '@/components/api/api-problem';
import { backoffMs, RETRY } from '@/components/api/backoff';
import { type Attempt, hasFreshEntry } from '@/components/attempt/attempt';
import { readAttempt } from '@/components/attempt/attempt-store';
import { clockStore } from '@/components/clock/clock-store';
import { useRefreshSession } from '@/components/session/use-session';
import { delay } from '@/components/ui/delay';
import type { ChallengeAnswer } from '@/lib/contract/shapes/challenge';
import type { SaleState } from '@/lib/contract/shapes/sale';
import { fetchEntry } from './fetch-entry';

/** The longest extra wait of a page once entry opens, so that not every page asks in the same second. */
const SPREAD_MS = 20_000;
const SHORTEST_WAIT_MS = 5000;
/** How long to wait, give or take a half, before asking again for a shopper who has all that the campaign allows: one may be given back. */
const CAMPAIGN_AGAIN_MS = 20_000;
/** Refusals that time changes. */
const WORTH_WAITING = new Set(['ENTRY_NOT_OPEN', 'NOT_ADMITTED', 'DRAW_ONLY']);

/**
 * Returns from when on to ask for a token, server epoch ms. Spreads the pages that wait for entry to open over the time
 * left.
 */
export function entryDueAt(now: number, entryOpensAt: number, startsAt: number, random: number): number {
  if (now >= entryOpensAt) return entryOpensAt;
  return entryOpensAt + Math.min(SPREAD_MS, Math.max(0, startsAt - entryOpensAt) / 2) * random;
}

/** setTimeout can't wait longer than 24.8 days; for tokens that last longer the page checks again after this time. */
const MAX_WAIT_MS = 3_600_000;
/** A page that waits for entry looks at the clock again after this time: it may have been set by the server meanwhile. */
const LOOK_AGAIN_MS = 5_000;

interface Entry {
  /** Code of a refusal that waiting can't change, or null. */
  refusal: string | null;
  /** When the page asks again after a refusal that waiting can change (429, 503, no answer), server epoch ms, or null. */
  retryAt: number | null;
  /** The sale wants a solved challenge before it gives a token. */
  isChallenged: boolean;
  /** Asks for the token with the challenge's answer, if it takes one. @throws ApiProblem with the entry endpoint's refusal */
  enter: (answer: ChallengeAnswer | null) => Promise<void>;
}

type Wanted = {
  saleId: string;
  key: string;
  opensAt: number;
  startsAt: number;
};

/** How a wish stands. */
type EntryStanding = {
  /** As in `Entry`. */
  refusal: string | null;
  retryAt: number | null;
  /** The attempt for which the server demanded a challenge. */
  challengedKey: string | null;
};

/** Sees to it that the attempt has a fresh token, until a refusal that waiting can't change. */
async function keepEntry(
  { saleId, key, opensAt, startsAt }: Wanted,
  tell: (news: Partial<EntryStanding>) => void,
  refreshSession: () => void,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  const dueAt = entryDueAt(clockStore().now(), opensAt, startsAt, Math.random());
  while (!signal.aborted) {
    const now = clockStore().now();
    const current = readAttempt(key);
    if (hasFreshEntry(current, now)) {
      // Checks again shortly before the token expires.
      await delay(
        Math.min(MAX_WAIT_MS, Math.max(SHORTEST_WAIT_MS, (current.entry?.expiresAt ?? now) - now - 30_000)),
        signal,
      );
      continue;
    }
    if (now < dueAt) {
      await delay(Math.min(dueAt - now, LOOK_AGAIN_MS), signal);
      continue;
    }
    try {
      await fetchEntry(saleId, key, signal);
      failures = 0;
      tell({ refusal: null, retryAt: null });
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      tell({ retryAt: null });
      const problem = error instanceof ApiProblem ? error : null;
      if (problem?.code === 'UNAUTHENTICATED') return void refreshSession();
      if (problem?.code === 'CHALLENGE_REQUIRED') return tell({ challengedKey: key });
      if (problem?.isOfCampaign) {
        tell({ refusal: refusalOf(problem) });
        await delay(CAMPAIGN_AGAIN_MS * (0.5 + Math.random()), signal);
        continue;
      }
      const isWorthWaiting = !problem || problem.isTransient || WORTH_WAITING.has(problem.code);
      if (!isWorthWaiting) return tell({ refusal: problem.code });
      const retryMs = backoffMs(RETRY, failures, problem?.retryAfterMs ?? null);
      tell({ retryAt: clockStore().now() + retryMs });
      await delay(retryMs, signal);
    }
  }
}

/**
 * "Get ready": fetches the entry token in the background as soon as the sale gives tokens out, and a new one before
 * the old one expires, so that a click costs one request. Where the sale wants a challenge, it waits for the
 * shopper's answer.
 */
export function useEntry(
  saleId: string,
  key: string | null,
  state: SaleState | null,
  attempt: Attempt,
): Entry {
  const [standing, setStanding] = useState<EntryStanding>({
    refusal: null,
    retryAt: null,
    challengedKey: null,
  });
  const refreshSession = useRefreshSession();
  const opensAt = state?.entryOpensAt ?? null;
  const startsAt = state?.startsAt ?? 0;
  const isOver = state?.status === 'ended';
  const isBusy = attempt.isPending || attempt.orderNo !== null;
  const expiresAt = attempt.entry?.expiresAt ?? 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies(expiresAt): a token another tab fetched, or one that was thrown away, starts the wait anew
  useEffect(() => {
    if (!key || opensAt === null || isOver || isBusy) return;
    const controller = new AbortController();
    const tell = (news: Partial<EntryStanding>) => setStanding((before) => ({ ...before, ...news }));
    void keepEntry({ saleId, key, opensAt, startsAt }, tell, refreshSession, controller.signal);
    return () => controller.abort();
  }, [saleId, key, opensAt, startsAt, isOver, isBusy, expiresAt, refreshSession]);

  const enter = useCallback(
    async (answer: ChallengeAnswer | null) => {
      if (!key) return;
      try {
        await fetchEntry(saleId, key, new AbortController().signal, null, answer);
      } catch (error) {
        if (problemCode(error) === 'UNAUTHENTICATED') void refreshSession();
        throw error;
      }
    },
    [saleId, key, refreshSession],
  );
  return {
    refusal: key ? standing.refusal : null,
    retryAt: key ? standing.retryAt : null,
    isChallenged: key !== null && standing.challengedKey === key,
    enter,
  };
}
