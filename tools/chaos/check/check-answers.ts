import type { Case, Violation } from './types';

/** Answers that the HTTP contract allows for a purchase with a good token, made in time. */
const CONTRACT = new Set([
  '409 NOT_STARTED',
  '409 PAUSED',
  '409 SOLD_OUT',
  '409 LIMIT_REACHED',
  '503 STOCK_UNAVAILABLE',
  '503 UNAVAILABLE',
]);

/** Clocks are read in milliseconds, and by different processes. */
const START_SLACK_MS = 50;

/**
 * Checks that every answer is one of the contract and came true: paid stays paid, ended stays ended, a paused sale
 * sells nothing, and no sale sells before its start.
 */
export function checkAnswers({ ledger, books, facts }: Case): Violation[] {
  const found: Violation[] = [];
  const broken = (problem: string, ...orderNos: string[]) =>
    found.push({ rule: 'answers of the contract', problem, orderNos });
  for (const { outcome, jti, askedAt, answeredAt } of ledger.purchases) {
    const isEarly = outcome.kind === 'accepted' && answeredAt < facts.startsAt;
    const isLate =
      outcome.kind === 'refused' &&
      outcome.code === 'NOT_STARTED' &&
      askedAt > facts.startsAt + START_SLACK_MS;
    if (isEarly || isLate) {
      const problem = `purchase with ${jti}: ${isEarly ? 'accepted before' : 'refused after'} the start`;
      found.push({ rule: 'starts on time', problem, orderNos: [] });
    }
    if (outcome.kind !== 'refused') continue;
    const answer = `${outcome.httpStatus} ${outcome.code}`;
    if (!CONTRACT.has(answer)) broken(`purchase with ${jti}: ${answer}`);
  }
  for (const { orderNo, status } of ledger.statuses) {
    if (status.startsWith('refused ') && status !== 'refused 503')
      broken(`asked for ${orderNo}: ${status}`, orderNo);
  }
  for (const { act, detail } of ledger.merchant) {
    if (/^5(?!03 )/.test(detail)) broken(`the admin area's ${act}: ${detail}`);
  }
  return [...found, ...checkStatuses({ ledger, books }), ...checkPauses(ledger)];
}

function checkStatuses({ ledger, books }: Pick<Case, 'ledger' | 'books'>): Violation[] {
  const final = new Map<string, string>(books.orders.map(({ orderNo, status }) => [orderNo, status]));
  const found = new Map<string, Violation>();
  for (const { orderNo, status } of ledger.statuses) {
    const is = final.get(orderNo) ?? 'missing';
    const isKept =
      (status !== 'paid' || is === 'paid' || is === 'refunded') &&
      // Only late money may turn a cancelled order into a paid one.
      (status !== 'cancelled' || is === 'cancelled' || is === 'paid' || is === 'refunded') &&
      (status !== 'failed' || is === 'failed' || is === 'missing') &&
      (status !== 'pending_payment' || is !== 'missing');
    if (!isKept) {
      const problem = `${orderNo} was answered ${status}, and is ${is}`;
      found.set(`${orderNo} ${status}`, { rule: 'answers come true', problem, orderNos: [orderNo] });
    }
  }
  return [...found.values()];
}

/** Checks that the sale accepts nothing new from the answer "paused" until the merchant asks to resume. */
function checkPauses(ledger: Case['ledger']): Violation[] {
  const acts = [...ledger.merchant].sort((a, b) => a.askedAt - b.askedAt);
  return acts.flatMap((pause, at) => {
    if (pause.act !== 'pause' || pause.result !== 'done') return [];
    const until = acts.slice(at + 1).find(({ act }) => act === 'resume')?.askedAt ?? Number.POSITIVE_INFINITY;
    return ledger.purchases.flatMap(({ outcome, askedAt, answeredAt }): Violation[] =>
      outcome.kind === 'accepted' && !outcome.replay && askedAt > pause.answeredAt && answeredAt < until
        ? [
            {
              rule: 'paused sells nothing',
              problem: `${outcome.orderNo} was accepted while the sale was paused`,
              orderNos: [outcome.orderNo],
            },
          ]
        : [],
    );
  });
}
