/**
 * Runs the worker process: relays accepted purchases and outgoing messages, gives points, notifies shoppers, runs the
 * recurring jobs. Any number may run. SIGTERM or Ctrl-C ends it after the current batch, at the latest after 2 s;
 * another worker or the next start takes over the rest.
 */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import { sendEvent } from '@/inngest/send-event';
import { createAlertConsumers } from '@/lib/alert/admin/alert-consumers';
import { stopWatchingBlocks, watchBlocks } from '@/lib/block/watch-blocks';
import { closeDb } from '@/lib/db/client';
import { createHeadConsumer } from '@/lib/decision-log/head-consumer';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import { lowerPriority, WRITER_NICENESS } from '@/lib/lower-priority';
import { closeMail } from '@/lib/notify/send-mail';
import { createConsumers } from '@/lib/order/consumers';
import { beWaryOfLostLeases } from '@/lib/order/records/issue-order-no';
import { whichWritten } from '@/lib/order/records/which-written';
import { createPace } from '@/lib/outbox/create-pace';
import { createGiveWay } from '@/lib/outbox/give-way';
import { newestEntry } from '@/lib/outbox/newest-entry';
import { relayOrders } from '@/lib/outbox/relay-orders';
import { runConsumer } from '@/lib/outbox/run-consumer';
import { runMessageRelay } from '@/lib/outbox/run-message-relay';
import { runQueues } from '@/lib/queue-strategy/run-queues';
import { closeRedis } from '@/lib/redis/client';
import { loadScripts } from '@/lib/redis/run-script';
import { buryEntry } from '@/lib/settlement/bury-entry';
import { startOrExplain } from '@/lib/start-or-explain';
import { stopWatchingSwitchboard, watchSwitchboard } from '@/lib/switchboard/is-on';
import { waitedForProcessors } from '@/lib/waited-for-processors';
import { serveMetrics } from '@/lib/watch/serve-metrics';
import { reportBreakers, workerJobs } from './worker/jobs';
import { runJobs } from './worker/run-jobs';

/** While one loop waits for the executor's answer, the other reads the next batch. */
const ORDER_RELAYS = 2;
/**
 * Far longer than a batch takes. The supervisor kills after 5.5 s, and at its low priority this process heard of the
 * signal 1 to 3 s late, just after its start on a machine at load 50.
 */
const STOP_WITHIN_MS = 2_000;

const stopping = new AbortController();

function stop(reason: string): void {
  if (stopping.signal.aborted) return;
  log.info({ reason }, 'worker stops');
  stopping.abort();
  setTimeout(() => {
    log.warn({}, 'worker ends with a batch in hand; another one will take it over');
    process.exit(0);
  }, STOP_WITHIN_MS).unref();
}

process.on('SIGTERM', () => stop('SIGTERM'));
process.on('SIGINT', () => stop('SIGINT'));

async function run(): Promise<void> {
  lowerPriority(process.pid, WRITER_NICENESS);
  // Reports what is wrong with the environment before anything starts.
  const { metricsHost, metricsPort } = env();

  loadScripts();
  beWaryOfLostLeases();
  const { signal } = stopping;
  // Every loop and each of its waits listens to the signal; Node takes more than ten listeners for a leak.
  setMaxListeners(100, signal);
  const name = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const pace = createPace();
  const giveWay = createGiveWay({
    waitedUs: waitedForProcessors,
    newestEntry,
  });
  const relays = Array.from({ length: ORDER_RELAYS }, (_, at) =>
    relayOrders(
      { send: sendEvent, bury: buryEntry, consumer: `${name}-${at + 1}`, log, pace, giveWay, whichWritten },
      signal,
    ),
  );
  const holdsMails = () => giveWay.holdsMails(performance.now());
  const sides = [createConsumers({ holdsMails }), createAlertConsumers(), createHeadConsumer()];
  const consumers = sides.flatMap((side) => side.consumers);
  const breakers = sides.flatMap((side) => side.breakers);
  await Promise.all([watchSwitchboard(), watchBlocks()]);
  log.info({ worker: name }, 'worker started');
  await Promise.all([
    ...relays,
    runMessageRelay({ send: sendEvent, log }, signal),
    ...consumers.map((consumer) => runConsumer(consumer, log, signal)),
    serveMetrics({ host: metricsHost, port: metricsPort }, signal),
    runQueues(signal),
    runJobs([...workerJobs(), reportBreakers(breakers)], log, signal),
  ]);
  closeMail();
  stopWatchingSwitchboard();
  stopWatchingBlocks();
  await Promise.all([closeRedis(), closeDb()]);
  log.info({ worker: name }, 'worker stopped');
  process.exit(0);
}

await startOrExplain({ host: 'METRICS_HOST', port: 'METRICS_PORT' }, run);
