import { pruneEmailChanges } from '@/lib/account/prune-email-changes';
import { pruneSessions } from '@/lib/account/sessions/prune-sessions';
import { evaluateAlerts } from '@/lib/admin/alerts/evaluate-alerts';
import { repeatSales } from '@/lib/admin/demo/repeat-sales';
import { giveWorkerSign } from '@/lib/admin/preflight/worker-sign';
import { reconcileOpenSales } from '@/lib/admin/reconcile/reconcile-open-sales';
import { runNextRehearsal } from '@/lib/admin/rehearsal/run-next-rehearsal';
import { pruneAlerts } from '@/lib/alert/prune-alerts';
import type { Breaker } from '@/lib/breaker/create-breaker';
import { pruneBreakers } from '@/lib/breaker/read-breakers';
import { runDraws } from '@/lib/checkout/draw/run-draws';
import { TEND_LINES_EVERY_MS, tendLines } from '@/lib/checkout/line/tend-lines';
import { remindUnpaid } from '@/lib/checkout/order/remind-unpaid';
import { askLatePayments } from '@/lib/checkout/payment/ask-provider';
import { readStatements } from '@/lib/checkout/payment/read-statements';
import { forgetOnReplicas } from '@/lib/checkout/recovery/forget-on-replicas';
import { guardStock } from '@/lib/checkout/recovery/guard-stock';
import { retireClosedSales } from '@/lib/checkout/recovery/retire-closed-sales';
import { tendFallbacks } from '@/lib/checkout/recovery/tend-fallbacks';
import { syncReservations } from '@/lib/checkout/reservation/sync-reservations';
import { writeReservations } from '@/lib/checkout/reservation/write-reservations';
import { countUnpaid } from '@/lib/checkout/risk/count-unpaid';
import { PUBLISH_SALES_EVERY_MS, publishSales } from '@/lib/checkout/sales/publish-sales';
import { tendWaitlists } from '@/lib/checkout/waitlist/tend-waitlists';
import { PUBLISH_LOGS_EVERY_MS, publishLogs } from '@/lib/decision-log/publish-logs';
import { env } from '@/lib/env';
import { createPublisher, PUBLISH_EVERY_MS } from '@/lib/metrics/publish-figures';
import { pruneNotifications } from '@/lib/notify/prune-notifications';
import { pruneMarks } from '@/lib/order/prune-marks';
import { addWeeksOfMarks } from '@/lib/order/weeks-of-marks';
import { pruneMessages } from '@/lib/outbox/prune-messages';
import { pruneRefusals } from '@/lib/refusal/prune-refusals';
import { pruneHits } from '@/lib/risk/prune-hits';
import { WATCH_EVERY_MS, watchServers } from '@/lib/servers/watch-servers';

/**
 * A task that every worker repeats: it must be safe to run in parallel, or take a lease. `run` gets the signal that the
 * worker is to end.
 */
export type Job = { name: string; everyMs: number; run: (signal: AbortSignal) => Promise<unknown> };

/** The worker's recurring jobs besides the relays. */
export const workerJobs = (): readonly Job[] => [
  { name: 'publish-sales', everyMs: PUBLISH_SALES_EVERY_MS, run: () => publishSales() },
  { name: 'tend-lines', everyMs: TEND_LINES_EVERY_MS, run: tendLines },
  { name: 'publish-logs', everyMs: PUBLISH_LOGS_EVERY_MS, run: publishLogs },
  { name: 'guard-stock', everyMs: 1_000, run: guardStock },
  { name: 'tend-waitlists', everyMs: 1_000, run: tendWaitlists },
  { name: 'forget-on-replicas', everyMs: 1_000, run: forgetOnReplicas },
  { name: 'write-reservations', everyMs: 250, run: writeReservations },
  { name: 'tell-reservations', everyMs: 1_000, run: syncReservations },
  { name: 'run-draws', everyMs: 500, run: () => runDraws() },
  { name: 'tend-fallbacks', everyMs: 250, run: tendFallbacks },
  { name: 'count-unpaid', everyMs: 1_000, run: countUnpaid },
  { name: 'reconcile-open-sales', everyMs: 10_000, run: reconcileOpenSales },
  { name: 'retire-closed-sales', everyMs: 10_000, run: retireClosedSales },
  { name: 'remind-unpaid', everyMs: 5_000, run: remindUnpaid },
  { name: 'ask-late-payments', everyMs: 5_000, run: askLatePayments },
  // The job itself runs once a minute, in whichever worker comes first.
  { name: 'read-statements', everyMs: 5_000, run: readStatements },
  { name: 'run-rehearsals', everyMs: 1_000, run: runNextRehearsal },
  { name: 'watch-servers', everyMs: WATCH_EVERY_MS, run: watchServers },
  // The job itself runs every 15 s, in whichever worker comes first.
  { name: 'evaluate-alerts', everyMs: 1_000, run: evaluateAlerts },
  { name: 'publish-figures', everyMs: PUBLISH_EVERY_MS, run: createPublisher('worker') },
  { name: 'prune-alerts', everyMs: 3_600_000, run: pruneAlerts },
  { name: 'give-worker-sign', everyMs: 5_000, run: giveWorkerSign },
  { name: 'prune-breakers', everyMs: 3_600_000, run: pruneBreakers },
  { name: 'prune-email-changes', everyMs: 3_600_000, run: pruneEmailChanges },
  { name: 'prune-hits', everyMs: 3_600_000, run: pruneHits },
  { name: 'add-weeks-of-marks', everyMs: 3_600_000, run: () => addWeeksOfMarks() },
  { name: 'prune-marks', everyMs: 3_600_000, run: pruneMarks },
  { name: 'prune-messages', everyMs: 3_600_000, run: pruneMessages },
  { name: 'prune-notifications', everyMs: 3_600_000, run: pruneNotifications },
  { name: 'prune-sessions', everyMs: 3_600_000, run: pruneSessions },
  { name: 'prune-refusals', everyMs: 3_600_000, run: pruneRefusals },
  ...(env().isDemo ? [repeatSales] : []),
];

/** Keeps the state of this worker's circuit breakers fresh for the admin area. */
export const reportBreakers = (breakers: readonly Breaker[]): Job => ({
  name: 'report-breakers',
  everyMs: 15_000,
  run: () => Promise.all(breakers.map((breaker) => breaker.report())),
});
