import type { Reading } from '@/lib/alert/rules';
import { ALERT_RULE_IDS, type AlertRuleId } from '@/lib/contract/words/alert';
import type { Totals } from '@/lib/metrics/process-figures';
import type { ProcessFigures } from '@/lib/metrics/publish-figures';
import { WEEKS_AHEAD } from '@/lib/order/records/weeks-of-marks';
import { unpaidShare } from '@/lib/watch/shared-samples';
import type { Figures, WatchedSale } from '@/lib/watch/types';
import { serverReadings } from './server-readings';

/** With fewer than this a share or a mean says nothing. */
const MIN_DECIDED = 20;
const MIN_HITS = 10;
const MIN_REQUESTS = 50;
const MIN_TRIES = 5;

/** Rules that can't be judged while Redis is away: their alerts stay as they are. */
const NEED_REDIS: ReadonlySet<AlertRuleId> = new Set<AlertRuleId>([
  'outbox_depth',
  'outbox_lag',
  'slice_dry',
  'processing_delay',
  'error_rate',
  'lock_wait',
  'lock_hold',
  'sign_in_failures',
  'accounts_attacked',
  'process_not_ready',
  'side_feature_off' as const,
  'replica_acks_missing',
  'database_connections',
]);

/** Computes the values the alert rules look at from the figures. Pure. */
export function readingsOf(figures: Figures): { known: AlertRuleId[]; readings: Reading[] } {
  const { stores, sales, overdue, messages, deadLetters, misfits, executor, hits, logs, processes } = figures;
  const known = ALERT_RULE_IDS.filter((rule) => stores.redis || !NEED_REDIS.has(rule));
  const recent = processes.map((one) => one.recent);
  const readings: Reading[] = [
    ...overdue.map(({ saleId, units }) => ofSale('held_not_released', saleId, units)),
    ...sales.flatMap((sale) => {
      const { share, decided } = unpaidShare(sale);
      const found = decided >= MIN_DECIDED ? [ofSale('unpaid_share', sale.saleId, share * 100)] : [];
      found.push(ofSale('slice_dry', sale.saleId, drySlices(sale, recent)));
      if (!sale.inRedis) return found;
      const { depth, oldestAgeMs } = sale.inRedis.outbox;
      found.push(ofSale('outbox_depth', sale.saleId, depth));
      found.push(ofSale('outbox_lag', sale.saleId, oldestAgeMs / 1_000));
      return found;
    }),
    ...hits
      .filter(({ recent: count }) => count >= MIN_HITS)
      .map(({ ruleId, recent: count, before }) =>
        of('risk_hits_growth', ruleId, ((count - before) / Math.max(before, 1)) * 100),
      ),
    ...messages.map(({ topic, lagMs }) => of('message_lag', topic, lagMs / 1_000)),
    ...logs.map(({ saleId, lagMs }) => ofSale('log_heads_late', saleId, lagMs / 1_000)),
    of('executor_lag', '', executor.lagMs / 1_000),
    ...deadLetters.map(({ consumer, count }) => of('dead_letters', consumer, count)),
    ...misfits.map(({ saleId, payments }) =>
      saleId === null ? of('payment_mismatch', '', payments) : ofSale('payment_mismatch', saleId, payments),
    ),
    of('processing_delay', '', meanDelaySec(recent)),
    of('error_rate', '', failedPercent(recent)),
    ...lockReadings(recent),
    of(
      'sign_in_failures',
      '',
      sum(recent, ({ signIns }) => signIns.wrong),
    ),
    of(
      'accounts_attacked',
      '',
      sum(recent, ({ signIns }) => signIns.attacked),
    ),
    of('process_not_ready', '', processes.filter(lacksSomething).length),
    ...featuresOff(processes),
    ...Object.entries(stores).map(([store, isUp]) => of('store_down', store, isUp ? 0 : 1)),
    ...serverReadings(figures.servers).map(({ rule, subject, value }) => of(rule, subject, value)),
    of(
      'replica_acks_missing',
      '',
      sum(recent, ({ unconfirmed = 0 }) => unconfirmed),
    ),
    of('mark_weeks', '', WEEKS_AHEAD - figures.markWeeksAhead),
    of('database_connections', '', sum(processes, waitingStatements)),
  ];
  // Leaves out values of 0: a subject without a reading has the value 0.
  return { known, readings: readings.filter(({ rule, value }) => value > 0 && known.includes(rule)) };
}

const of = (rule: AlertRuleId, subject: string, value: number): Reading => ({
  rule,
  subject,
  saleId: null,
  value: Math.round(value * 1_000) / 1_000,
});

const ofSale = (rule: AlertRuleId, saleId: string, value: number): Reading => ({
  ...of(rule, saleId, value),
  saleId,
});

const sum = <T>(all: readonly T[], one: (item: T) => number) =>
  all.reduce((total, item) => total + one(item), 0);

/** A slice may be dry for long where nobody wants to buy there: that is nothing to look at. */
function drySlices({ saleId, slices }: WatchedSale, recent: readonly Totals[]): number {
  const dry = slices.filter(({ available }) => available === 0).length;
  if (dry === slices.length) return 0;
  return sum(recent, ({ failedSearches }) => failedSearches?.[saleId] ?? 0) > 0 ? dry : 0;
}

const lacksSomething = ({ samples }: ProcessFigures): boolean =>
  samples.some(({ name, value }) => name === 'seckill_process_ready' && value === 0);

function featuresOff(processes: readonly ProcessFigures[]): Reading[] {
  const off = processes.flatMap(({ samples }) =>
    samples.filter(({ name, value }) => name === 'seckill_side_feature_on' && value === 0),
  );
  const features = new Set(off.map(({ labels }) => labels.feature ?? ''));
  return [...features].map((feature) =>
    of('side_feature_off', feature, off.filter(({ labels }) => labels.feature === feature).length),
  );
}

const waitingStatements = ({ samples }: ProcessFigures): number =>
  samples.find(({ name, labels }) => name === 'seckill_database_connections' && labels.state === 'waiting')
    ?.value ?? 0;

function meanDelaySec(recent: readonly Totals[]): number {
  const written = sum(recent, (totals) => totals.written);
  return written === 0 ? 0 : sum(recent, ({ delayMs }) => delayMs) / written / 1_000;
}

function failedPercent(recent: readonly Totals[]): number {
  const requests = sum(recent, (totals) => totals.requests);
  return requests < MIN_REQUESTS ? 0 : (sum(recent, ({ failed }) => failed) / requests) * 100;
}

function lockReadings(recent: readonly Totals[]): Reading[] {
  const kinds = new Set(recent.flatMap(({ locks }) => Object.keys(locks)));
  return [...kinds].flatMap((kind) => {
    const seen = recent.flatMap(({ locks }) => locks[kind] ?? []);
    const tries = sum(seen, (lock) => lock.tries);
    const meanMs = tries < MIN_TRIES ? 0 : sum(seen, ({ waitMs }) => waitMs) / tries;
    // A long hold that began within the minute and still goes on is in both counts.
    const long = sum(seen, ({ longHolds, heldLong }) => Math.max(longHolds, heldLong));
    return [of('lock_wait', kind, meanMs), of('lock_hold', kind, long)];
  });
}
