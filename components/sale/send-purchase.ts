import { ApiProblem, refusalOf } from '@/components/api/api-problem';
import { backoffMs, RETRY } from '@/components/api/backoff';
import { entryHeaders } from '@/components/api/entry-headers';
import { request } from '@/components/api/request';
import type { Wish } from '@/components/attempt/attempt';
import { readAttempt, updateAttempt } from '@/components/attempt/attempt-store';
import { keepRefusal } from '@/components/attempt/keep-refusal';
import { delay } from '@/components/ui/delay';
import { fetchEntry } from './fetch-entry';
import { withTabLock } from './tab-lock';

interface SendInput {
  saleId: string;
  key: string;
  /** Another name of the shop that takes purchases; null: the page's own. */
  origin: string | null;
  /** Returns the last known gate; it may change while the page waits. */
  gate: () => string | null;
  /** Asks for the sale's state: the answer may bring another gate or the end. */
  refresh: () => void;
  /** Tells the page how many ms it waits before the next try; null = it is sending now. */
  onWait: (waitMs: number | null) => void;
  signal: AbortSignal;
}

/**
 * Refusals that mean "not this very moment": the sale is opening, or its gate has changed and the new one is on its
 * way.
 */
const NOT_YET = new Set(['NOT_STARTED', 'GATE_INVALID']);
const NOT_YET_MS = 400;
/** The most such refusals: a gate that stays wrong is no race any more. */
const MAX_NOT_YET = 20;

type Step = { do: 'stop' } | { do: 'wait'; ms: number; isVisible: boolean } | { do: 'renew'; token: string };

function afterProblem(
  problem: ApiProblem,
  counts: { failures: number; notYet: number; renewals: number },
  token: string,
): Step {
  if (problem.isTransient) {
    counts.failures += 1;
    return { do: 'wait', ms: backoffMs(RETRY, counts.failures, problem.retryAfterMs), isVisible: true };
  }
  if (NOT_YET.has(problem.code) && counts.notYet < MAX_NOT_YET) {
    counts.notYet += 1;
    return { do: 'wait', ms: NOT_YET_MS * (1 + Math.random()), isVisible: false };
  }
  if (problem.code === 'ENTRY_INVALID' && counts.renewals === 0) {
    counts.renewals += 1;
    return { do: 'renew', token };
  }
  return { do: 'stop' };
}

/** For one unit of a sale without variants the body stays empty: address and token hold everything the server needs. */
const wishOf = ({ quantity, variant }: Wish): Partial<Wish> | undefined =>
  quantity === 1 && variant === 0 ? undefined : { quantity, ...(variant > 0 && { variant }) };

/**
 * Sends the pending purchase until the server has answered, with the same token each time: the server gives a
 * repeated token its first answer, so the shopper can't buy twice. Waits after 429, 503 and a lost connection (A6).
 * Only one tab sends; the others wait for the lock and then find the answer in the attempt.
 */
export async function sendPurchase({
  saleId,
  key,
  origin,
  gate,
  refresh,
  onWait,
  signal,
}: SendInput): Promise<void> {
  await withTabLock(`${key}:purchase`, signal, async () => {
    const counts = { failures: 0, notYet: 0, renewals: 0 };
    // If the other name can't be reached, every second try goes to the page's own.
    let isReachable = true;
    while (!signal.aborted) {
      const attempt = readAttempt(key);
      const token = attempt.entry?.entryToken;
      if (!attempt.isPending || !token) return;
      const open = gate();
      if (!open) {
        await delay(NOT_YET_MS, signal);
        continue;
      }
      onWait(null);
      const wish = wishOf(attempt);
      try {
        if (origin) updateAttempt(key, { isUnsure: true });
        const { orderNo, status } = await request('POST /api/sales/{saleId}/purchase/{gate}', {
          params: { saleId, gate: open },
          ...(origin && isReachable
            ? { origin, body: { entryToken: token, isFirstTry: !attempt.isUnsure, ...wish } }
            : { headers: entryHeaders(token), body: wish }),
          signal,
        });
        updateAttempt(key, {
          orderNo,
          isUndecided: status === 'undecided',
          isPending: false,
          isUnsure: false,
          refusal: null,
          previous: null,
        });
        return;
      } catch (error) {
        if (signal.aborted) return;
        const problem = error instanceof ApiProblem ? error : new ApiProblem({ status: 0, code: 'NETWORK' });
        isReachable = problem.status !== 0 || !isReachable;
        const step = afterProblem(problem, counts, token);
        // Nothing was bought with this token; an earlier one that is too old now may have bought something.
        const isSure = step.do === 'stop' || (step.do === 'wait' && !step.isVisible && !attempt.isUnsure);
        if (origin && isSure && problem.code !== 'ENTRY_INVALID') updateAttempt(key, { isUnsure: false });
        if (step.do === 'wait') {
          if (step.isVisible) onWait(step.ms);
          else refresh();
          await delay(step.ms, signal);
        } else if (step.do === 'renew') {
          await renew({ saleId, key, signal }, step.token);
        } else {
          updateAttempt(key, { ...keepRefusal(problem), isPending: false });
          refresh();
          return;
        }
      }
    }
  });
}

/** Fetches a token in place of one that is no good any more. If there is none, the attempt ends with the reason. */
async function renew(
  { saleId, key, signal }: Pick<SendInput, 'saleId' | 'key' | 'signal'>,
  oldToken: string,
): Promise<void> {
  try {
    await fetchEntry(saleId, key, signal, oldToken);
  } catch (error) {
    const code = error instanceof ApiProblem ? refusalOf(error) : 'ENTRY_INVALID';
    updateAttempt(key, { isPending: false, entry: null, refusal: code });
  }
}
