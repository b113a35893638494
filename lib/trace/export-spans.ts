import { limitMs } from '@/lib/time-limits';
import 'server-only';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';

const FLUSH_AFTER_MS = 2_000;
/** How many spans a collector gets in one request, and how many may wait for a slow one; the rest are dropped. */
const BATCH = 512;
const MAX_WAITING = 10_000;

/** A span in OTLP's JSON encoding. */
export type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue: string } }[];
};

let waiting: OtlpSpan[] = [];
let timer: NodeJS.Timeout | undefined;
let sending: Promise<void> = Promise.resolve();
let isFailing = false;

/** Queues a span for the collector, which gets it within about 2 s. Never waits and never throws. */
export function enqueueSpan(span: OtlpSpan): void {
  if (waiting.length >= MAX_WAITING) return;
  waiting.push(span);
  timer ??= setTimeout(() => void flushSpans(), FLUSH_AFTER_MS).unref();
}

/** Sends the waiting spans, 512 at a time. Drops spans that the collector does not accept. */
export function flushSpans(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  const spans = waiting;
  waiting = [];
  sending = sending.then(async () => {
    for (let at = 0; at < spans.length; at += BATCH) await send(spans.slice(at, at + BATCH));
  });
  return sending;
}

/** Sends spans as OTLP/HTTP with JSON. (OpenTelemetry Protocol 1.5, "OTLP/HTTP Request") */
async function send(spans: readonly OtlpSpan[]): Promise<void> {
  const { trace } = env();
  if (!trace) return;
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: trace.serviceName } }] };
  const body = { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'seckill' }, spans }] }] };
  try {
    const response = await fetch(`${trace.endpoint.replace(/\/$/, '')}/v1/traces`, {
      method: 'POST',
      headers: { ...trace.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(limitMs('traceExport')),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the collector answered ${response.status}`);
    isFailing = false;
  } catch (err) {
    if (!isFailing) log.warn({ err, spans: spans.length }, 'spans are dropped: the collector takes none');
    isFailing = true;
  }
}
