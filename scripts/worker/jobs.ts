import { resealSecrets } from '@/lib/account/factors/reseal-secrets';
import { pruneEmailChanges } from '@/lib/account/prune-email-changes';
import { pruneSessions } from '@/lib/account/sessions/prune-sessions';
import { evaluateAlerts } from '@/lib/alert/admin/evaluate-alerts';
import { pruneAlerts } from '@/lib/alert/prune-alerts';
import type { Breaker } from '@/lib/breaker/create-breaker';
import { pruneBreakers } from '@/lib/breaker/read-breakers';
import { PUBLISH_LOGS_EVERY_MS, publishLogs } from '@/lib/decision-log/publish-logs';
import { forgetAddresses } from '@/lib/delivery/records/forget-addresses';
import { repeatSales } from '@/lib/demo/repeat-sales';
import { runDraws } from '@/lib/draw/run-draws';
import { tellNotDrawn } from '@/lib/draw/tell-not-drawn';
import { env } from '@/lib/env';
import { TEND_LINES_EVERY_MS, tendLines } from '@/lib/line/tend-lines';
import { guardStock } from '@/lib/loading/guard-stock';
import { pruneMedia } from '@/lib/media/prune-media';
import { createPublisher, PUBLISH_EVERY_MS } from '@/lib/metrics/publish-figures';
import { pruneNotifications } from '@/lib/notify/prune-notifications';
import { pruneMarks } from '@/lib/order/records/prune-marks';
import { addWeeksOfMarks } from '@/lib/order/records/weeks-of-marks';
import { pruneMessages } from '@/lib/outbox/prune-messages';
import { askLatePayments } from '@/lib/payment/ask-provider';
import { readStatements } from '@/lib/payment/read-statements';
import { giveWorkerSign } from '@/lib/preflight/worker-sign';
import { reconcileOpenSales } from '@/lib/reconcile/reconcile-open-sales';
import { forgetOnReplicas } from '@/lib/recovery/forget-on-replicas';
import { retireEndedSales } from '@/lib/recovery/retire-ended-sales';
import { tendFallbacks } from '@/lib/recovery/tend-fallbacks';
import { pruneRefusals } from '@/lib/refusal/prune-refusals';
import { runNextRehearsal } from '@/lib/rehearsal/run-next-rehearsal';
import { syncReservations } from '@/lib/reservation/sync-reservations';
import { writeReservations } from '@/lib/reservation/write-reservations';
import { countUnpaid } from '@/lib/risk/count-unpaid';
import { pruneHits } from '@/lib/risk/prune-hits';
import { PUBLISH_SALES_EVERY_MS, publishSales } from '@/lib/sale/publish-sales';
import { WATCH_EVERY_MS, watchServers } from '@/lib/servers/watch-servers';
import { remindUnpaid } from '@/lib/settlement/remind-unpaid';
import { tellReceived } from '@/lib/settlement/tell-received';
import { tendWaitlists } from '@/lib/waitlist/tend-waitlists';

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
  { name: 'tell-not-drawn', everyMs: 1_000, run: tellNotDrawn },
  { name: 'tend-fallbacks', everyMs: 250, run: tendFallbacks },
  { name: 'count-unpaid', everyMs: 1_000, run: countUnpaid },
  { name: 'reconcile-open-sales', everyMs: 10_000, run: reconcileOpenSales },
  { name: 'retire-ended-sales', everyMs: 10_000, run: retireEndedSales },
  { name: 'remind-unpaid', everyMs: 5_000, run: remindUnpaid },
  { name: 'tell-received', everyMs: 5_000, run: tellReceived },
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
  { name: 'forget-addresses', everyMs: 3_600_000, run: forgetAddresses },
  { name: 'prune-email-changes', everyMs: 3_600_000, run: pruneEmailChanges },
  { name: 'reseal-secrets', everyMs: 3_600_000, run: resealSecrets },
  { name: 'prune-hits', everyMs: 3_600_000, run: pruneHits },
  { name: 'add-weeks-of-marks', everyMs: 3_600_000, run: () => addWeeksOfMarks() },
  { name: 'prune-marks', everyMs: 3_600_000, run: pruneMarks },
  { name: 'prune-media', everyMs: 3_600_000, run: pruneMedia },
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
