import type { Sample } from '@/lib/metrics/sample';
import type { Figures, WatchedSale } from './types';

const TIERS = ['available', 'held', 'sold'] as const;

/** Computes the share of the decided orders that ended unpaid, 0 … 1, and how many were decided. */
export function unpaidShare({ orders }: Pick<WatchedSale, 'orders'>): { share: number; decided: number } {
  const count = (status: string) => orders.find((group) => group.status === status)?.count ?? 0;
  const unpaid = count('cancelled');
  const decided = unpaid + count('paid') + count('refunded');
  return { share: decided === 0 ? 0 : unpaid / decided, decided };
}

/** Returns the samples that are the same whichever worker is asked. */
export function sharedSamples(figures: Figures): Sample[] {
  const { stores, sales, overdue, messages, deadLetters, misfits, executor, breakers, hits, logs } = figures;
  return [
    ...storeSamples(stores),
    ...sales.flatMap(saleSamples),
    ...overdue.map(
      ({ saleId, units }): Sample => ({
        name: 'seckill_held_overdue_units',
        labels: { sale: saleId },
        value: units,
      }),
    ),
    ...messages.flatMap(({ topic, due, lagMs }): Sample[] => [
      { name: 'seckill_messages_due', labels: { topic }, value: due },
      { name: 'seckill_messages_lag_seconds', labels: { topic }, value: lagMs / 1_000 },
    ]),
    ...deadLetters.map(
      ({ consumer, count }): Sample => ({ name: 'seckill_dead_letters', labels: { consumer }, value: count }),
    ),
    ...misfits.map(
      ({ saleId, payments }): Sample => ({
        name: 'seckill_misfit_payments',
        labels: { sale: saleId ?? '' },
        value: payments,
      }),
    ),
    { name: 'seckill_mark_partitions_ahead', labels: {}, value: figures.markWeeksAhead },
    ...logs.map(
      ({ saleId, lagMs }): Sample => ({
        name: 'seckill_log_lag_seconds',
        labels: { sale: saleId },
        value: lagMs / 1_000,
      }),
    ),
    { name: 'seckill_executor_due', labels: {}, value: executor.due },
    { name: 'seckill_executor_lag_seconds', labels: {}, value: executor.lagMs / 1_000 },
    { name: 'seckill_executor_sleeping', labels: {}, value: executor.sleeping },
    ...breakers.map(
      ({ service, state }): Sample => ({
        name: 'seckill_breaker_open',
        labels: { service },
        value: state === 'closed' ? 0 : 1,
      }),
    ),
    ...hits.flatMap(({ ruleId, recent, before }): Sample[] => [
      { name: 'seckill_risk_hits_recent', labels: { rule: ruleId }, value: recent },
      { name: 'seckill_risk_hits_before', labels: { rule: ruleId }, value: before },
    ]),
  ];
}

/** Returns whether each store answers; without Postgres these are the only samples. */
export const storeSamples = (stores: Figures['stores']): Sample[] =>
  Object.entries(stores).map(
    ([store, isUp]): Sample => ({ name: 'seckill_store_up', labels: { store }, value: isUp ? 1 : 0 }),
  );

function saleSamples(sale: WatchedSale): Sample[] {
  const { saleId, inRedis, reserved, orders } = sale;
  const labels = { sale: saleId };
  const samples: Sample[] = orders.map(({ status, count }) => ({
    name: 'seckill_orders',
    labels: { ...labels, status },
    value: count,
  }));
  samples.push({ name: 'seckill_unpaid_ratio', labels, value: unpaidShare(sale).share });
  if (reserved !== null) samples.push({ name: 'seckill_reservations', labels, value: reserved });
  for (const { slice, ...units } of sale.slices) {
    for (const tier of TIERS)
      samples.push({
        name: 'seckill_slice_units',
        labels: { ...labels, slice: String(slice), tier },
        value: units[tier],
      });
  }
  if (!inRedis) return samples;
  const { stock, outbox, undecided, attempts } = inRedis;
  for (const tier of TIERS) {
    if (stock) samples.push({ name: 'seckill_stock_units', labels: { ...labels, tier }, value: stock[tier] });
  }
  for (const [outcome, value] of Object.entries(attempts)) {
    samples.push({ name: 'seckill_attempts_total', labels: { ...labels, outcome }, value });
  }
  if (undecided) {
    samples.push({ name: 'seckill_undecided_purchases', labels, value: undecided.count });
    samples.push({ name: 'seckill_undecided_age_seconds', labels, value: undecided.oldestAgeMs / 1_000 });
  }
  samples.push({ name: 'seckill_outbox_depth', labels, value: outbox.depth });
  samples.push({ name: 'seckill_outbox_lag_seconds', labels, value: outbox.oldestAgeMs / 1_000 });
  return samples;
}
