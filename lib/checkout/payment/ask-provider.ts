import 'server-only';
import pLimit from 'p-limit';
import { log } from '@/lib/http/log';
import { orderKeys } from '@/lib/order/order-key';
import { claimQueries, closeQuery, type DueQuery, findOpened } from '@/lib/payment/claim-queries';
import { findMisbooked } from '@/lib/payment/find-misbooked';
import { reachProvider } from '@/lib/payment/reach-provider';
import { applyBooks } from './apply-books';
import { noteMisbooked } from './note-misbooked';

const AT_A_TIME = 8;
const TIMEOUT_MS = 3_000;
const ROUNDS = 20;
/** A provider's books may be seconds behind its callbacks: only what they say so often is put in front of a person. */
const MOST_ASKED = 3;

/** `applied`: the answer changed something here. */
export type Asked = { asked: number; applied: number; failed: number };

/**
 * Asks the providers about payments whose callback is late or did not fit. Their books are believed: the exact money pays,
 * other money goes back, and what nobody can put right by machine is put in front of a person.
 */
export async function askLatePayments(): Promise<Asked> {
  const total: Asked = { asked: 0, applied: 0, failed: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const due = await claimQueries();
    if (due.length === 0) break;
    const result = await askAll(due);
    for (const key of ['asked', 'applied', 'failed'] as const) total[key] += result[key];
  }
  return total;
}

/**
 * Asks about those of these orders that are about to be cancelled although their shopper went to pay: who has paid in time
 * keeps the unit even if no callback ever came. A provider that can't be reached doesn't keep the deadline from passing;
 * money that comes later is dealt with as late.
 */
export async function askBeforeRelease(orderNos: readonly string[]): Promise<Asked> {
  const { shards, ids } = orderKeys(orderNos);
  return askAll(await findOpened(shards, ids));
}

async function askAll(due: readonly DueQuery[]): Promise<Asked> {
  const limit = pLimit(AT_A_TIME);
  const outcomes = await Promise.all(due.map((payment) => limit(() => ask(payment))));
  const count = (outcome: string) => outcomes.filter((each) => each === outcome).length;
  return { asked: due.length, applied: count('applied'), failed: count('failed') };
}

async function ask(query: DueQuery): Promise<'applied' | 'unchanged' | 'failed'> {
  const { paymentId, provider } = query;
  try {
    const state = await reachProvider(provider, (asked) => asked.queryState(paymentId), TIMEOUT_MS);
    const outcome = await applyBooks(provider, paymentId, state);
    if (outcome !== 'settled' || (await agree(query))) await closeQuery(query);
    return outcome === 'applied' || outcome === 'late' || outcome === 'sent_back' ? 'applied' : 'unchanged';
  } catch (err) {
    log.warn({ paymentId, provider, err }, 'the provider could not say what became of a payment');
    return 'failed';
  }
}

/** A payment that is settled here: whether the provider agrees, or a person has been told that it does not. */
async function agree({ paymentId, provider, queries }: DueQuery): Promise<boolean> {
  const misbooked = await findMisbooked(provider, [paymentId]);
  if (misbooked.length > 0 && queries < MOST_ASKED) return false;
  await noteMisbooked(misbooked);
  return true;
}
