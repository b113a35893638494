'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiProblem, problemCode } from '@/components/api/api-problem';
import { backoffMs, RETRY } from '@/components/api/backoff';
import { request } from '@/components/api/request';
import { clockStore } from '@/components/clock/clock-store';
import { delay } from '@/components/ui/delay';
import type { ChallengeAnswer, OfferedChallenge } from '@/lib/contract/shapes/challenge';
import type { ChallengeKind } from '@/lib/contract/words/challenge';

/** `why` is the code for why there is a new challenge: it stays beside the puzzle until the shopper has answered it. */
type ChallengeStage =
  | { kind: 'loading'; why: string | null; trouble: string | null }
  | { kind: 'open'; why: string | null; challenge: OfferedChallenge }
  | { kind: 'checking'; challenge: OfferedChallenge }
  | { kind: 'expired' }
  | { kind: 'stuck' };

const LOADING = { kind: 'loading', why: null, trouble: null } as const satisfies ChallengeStage;

const whyOf = (stage: ChallengeStage) => (stage.kind === 'loading' ? stage.why : null);

/**
 * Fetches a challenge, sends its answer to the shop, and fetches another challenge after a wrong answer.
 * @param enter sends the answer to the shop, or asks for entry without one; rejects with the entry endpoint's refusal
 */
export function useChallenge(saleId: string, enter: (answer: ChallengeAnswer | null) => Promise<void>) {
  const [wanted, setWanted] = useState<ChallengeKind | null>(null);
  const [stage, setStage] = useState<ChallengeStage>(LOADING);
  /** Increased for each challenge the page wants. */
  const [round, setRound] = useState(0);

  const enterRef = useRef(enter);
  useEffect(() => {
    enterRef.current = enter;
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies(round): it is what asks for another one
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const load = async () => {
      for (let failures = 1; !signal.aborted; failures += 1) {
        try {
          const challenge = await request('POST /api/sales/{saleId}/challenge', {
            params: { saleId },
            body: { kind: wanted ?? undefined },
            signal,
          });
          return setStage((before) => ({ kind: 'open', why: whyOf(before), challenge }));
        } catch (error) {
          if (signal.aborted) return;
          const trouble = problemCode(error);
          // Staff have switched off the kind that was asked for, or all that the sale could ask for.
          if (trouble === 'CHALLENGE_NOT_OFFERED') return setWanted(null);
          if (trouble === 'CHALLENGE_NOT_NEEDED' && (await getsIn(enterRef.current))) return;
          if (signal.aborted) return;
          setStage((before) => ({ kind: 'loading', why: whyOf(before), trouble }));
          const wait = error instanceof ApiProblem ? error.retryAfterMs : null;
          await delay(backoffMs(RETRY, failures, wait), signal);
        }
      }
    };
    void load();
    return () => controller.abort();
  }, [saleId, wanted, round]);

  useExpiry(stage.kind === 'open' ? stage.challenge.expiresAt : null, setStage);

  const renew = useCallback((why: string | null = null) => {
    setStage({ ...LOADING, why });
    setRound((before) => before + 1);
  }, []);

  const answer = async (challenge: OfferedChallenge, text: string) => {
    setStage({ kind: 'checking', challenge });
    try {
      await enter({ challengeId: challenge.challengeId, answer: text });
    } catch (error) {
      renew(problemCode(error));
    }
  };
  const choose = (kind: ChallengeKind) => {
    setStage(LOADING);
    setWanted(kind);
  };

  return { stage, answer, renew, choose, onStuck: () => setStage({ kind: 'stuck' }) };
}

/** Asks for entry without an answer, and tells whether the shop gave it. */
const getsIn = (enter: (answer: null) => Promise<void>): Promise<boolean> =>
  enter(null).then(
    () => true,
    () => false,
  );

/** Tells when a challenge has expired. @param expiresAt server time, epoch ms; null: none is open */
function useExpiry(expiresAt: number | null, setStage: (stage: ChallengeStage) => void): void {
  useEffect(() => {
    if (expiresAt === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    void delay(expiresAt - clockStore().now(), signal).then(() => {
      if (!signal.aborted) setStage({ kind: 'expired' });
    });
    return () => controller.abort();
  }, [expiresAt, setStage]);
}
