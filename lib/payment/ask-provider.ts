import { limitMs } from '@/lib/time-limits';
import 'server-only';
import pLimit from 'p-limit';
import { log } from '@/lib/http/log';
import { findMisbooked } from '@/lib/payment/providers/find-misbooked';
import { reachProvider } from '@/lib/payment/providers/reach-provider';
import { claimQueries, closeQuery, type DueQuery, findOpened } from '@/lib/payment/records/claim-queries';
import { applyBooks } from './apply-books';
import { noteMisbooked } from './note-misbooked';

const AT_A_TIME = 8;
const ROUNDS = 20;
/**
 * After so many questions in a row without an answer, the others of a call are not asked: they would wait one after the
 * other, and the units of 500 unpaid orders for three minutes.
 */
const MOST_UNANSWERED = 16;
/**
 * How often the provider must give the same odd answer before staff are told. Its books may be seconds behind its
 * callbacks.
 */
const MOST_ASKED = 3;

/** Counts of one round. `applied`: the answer changed something here. */
type QueryCounts = { asked: number; applied: number; failed: number };

/**
 * Asks the providers about payments whose callback is late or did not fit. The shop believes their books: the exact
 * money pays, other money goes back, and staff get the cases that no program can settle.
 */
export async function askLatePayments(): Promise<QueryCounts> {
  const total: QueryCounts = { asked: 0, applied: 0, failed: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const due = await claimQueries();
    if (due.length === 0) break;
    const result = await askAll(due);
    for (const key of ['asked', 'applied', 'failed'] as const) total[key] += result[key];
  }
  return total;
}

/**
 * Asks the provider about orders that are about to be cancelled although their shopper went to pay. A shopper who
 * paid in time keeps the unit even if no callback ever came. If the provider can't be reached, the deadline still
 * passes; money that comes later counts as late.
 */
export async function askBeforeRelease(orderNos: readonly string[]): Promise<QueryCounts> {
  return askAll(await findOpened(orderNos));
}

async function askAll(due: readonly DueQuery[]): Promise<QueryCounts> {
  const limit = pLimit(AT_A_TIME);
  const unanswered = new Map<string, number>();
  const outcomes = await Promise.all(
    due.map((payment) =>
      limit(async () => {
        const { provider } = payment;
        const count = () => unanswered.get(provider) ?? 0;
        if (count() >= MOST_UNANSWERED) return 'failed';
        const outcome = await ask(payment);
        unanswered.set(provider, outcome === 'failed' ? count() + 1 : 0);
        return outcome;
      }),
    ),
  );
  const count = (outcome: string) => outcomes.filter((each) => each === outcome).length;
  return { asked: due.length, applied: count('applied'), failed: count('failed') };
}

async function ask(query: DueQuery): Promise<'applied' | 'unchanged' | 'failed'> {
  const { paymentId, provider } = query;
  try {
    const state = await reachProvider(
      provider,
      (asked) => asked.queryState(paymentId),
      limitMs('providerState'),
    );
    const outcome = await applyBooks(provider, paymentId, state);
    if (outcome !== 'settled' || (await agree(query))) await closeQuery(query);
    return outcome === 'applied' || outcome === 'late' || outcome === 'sent_back' ? 'applied' : 'unchanged';
  } catch (err) {
    log.warn({ paymentId, provider, err }, 'the provider could not say what became of a payment');
    return 'failed';
  }
}

/**
 * Handles a payment that is settled here. @returns true if the provider agrees, or if staff have been told that it
 * does not
 */
async function agree({ paymentId, provider, queries }: DueQuery): Promise<boolean> {
  const misbooked = await findMisbooked(provider, [paymentId]);
  if (misbooked.length > 0 && queries < MOST_ASKED) return false;
  await noteMisbooked(misbooked);
  return true;
}
