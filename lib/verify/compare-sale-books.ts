import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { groupBy } from '@/lib/outbox/group-by';
import { compareAll, findMisbooked, type Misbooked } from '@/lib/payment/providers/find-misbooked';
import { STATES_AT_ONCE } from '@/lib/payment/providers/provider';
import { ProviderSilentError, reachProvider } from '@/lib/payment/providers/reach-provider';
import { listOpened, type PaymentIds, readOwnBooks } from '@/lib/payment/records/own-books';
import { limitMs } from '@/lib/time-limits';

const FIRST_WAIT_MS = 100;
/** More suspects at once mean an error that no second look explains. */
const MAX_SUSPECTS = 20_000;

export type ComparedBooks = {
  /** How many payments were compared. */
  payments: number;
  misbooked: Misbooked[];
  /** Providers that gave no answer, and why; their payments are not compared. */
  silent: Map<string, string>;
};

/**
 * Compares every payment of a sale that a shopper opened with its provider's books. Asks in batches, so request size
 * doesn't grow with the sale, and holds no transaction while a provider takes its time. Payments that differ at first are checked again, with growing waits, for
 * `settleMs`.
 * @throws connection errors.
 */
export async function compareSaleBooks(saleId: string, settleMs: number): Promise<ComparedBooks> {
  const compared: ComparedBooks = { payments: 0, misbooked: [], silent: new Map() };
  const ask = (provider: string, work: () => Promise<Misbooked[]>) =>
    unlessSilent(compared.silent, provider, work);
  for (const { provider, paymentIds } of batchesOf(await listOpened(saleId))) {
    const found = await ask(provider, () => comparePage(provider, paymentIds));
    if (!compared.silent.has(provider)) compared.payments += paymentIds.length;
    if (compared.misbooked.length < MAX_SUSPECTS) compared.misbooked.push(...found);
  }
  for (let [waitMs, waited] = [FIRST_WAIT_MS, 0]; compared.misbooked.length > 0; waitMs *= 2) {
    const left: Misbooked[] = [];
    for (const { provider, paymentIds } of batchesOf(idsOf(compared.misbooked)))
      left.push(...(await ask(provider, () => findMisbooked(provider, paymentIds))));
    compared.misbooked = left;
    if (waited >= settleMs) break;
    await delay(Math.min(waitMs, settleMs - waited));
    waited += waitMs;
  }
  return compared;
}

/** Asks a provider unless it has failed to answer once already. */
async function unlessSilent(
  silent: Map<string, string>,
  provider: string,
  work: () => Promise<Misbooked[]>,
): Promise<Misbooked[]> {
  if (silent.has(provider)) return [];
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderSilentError)) throw error;
    silent.set(provider, error.message);
    return [];
  }
}

async function comparePage(provider: string, paymentIds: readonly string[]): Promise<Misbooked[]> {
  const own = await readOwnBooks(provider, paymentIds);
  const theirs = await reachProvider(
    provider,
    (asked) => asked.queryStates(paymentIds),
    limitMs('providerMany'),
  );
  return compareAll(provider, own, theirs);
}

const idsOf = (suspects: readonly Misbooked[]): PaymentIds[] =>
  [...groupBy(suspects, (one) => one.provider)].map(([provider, group]) => ({
    provider,
    paymentIds: group.map(({ paymentId }) => paymentId),
  }));

function* batchesOf(payments: readonly PaymentIds[]): Generator<PaymentIds> {
  for (const { provider, paymentIds } of payments)
    for (let from = 0; from < paymentIds.length; from += STATES_AT_ONCE)
      yield { provider, paymentIds: paymentIds.slice(from, from + STATES_AT_ONCE) };
}
