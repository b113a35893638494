import 'server-only';
import { randomBytes } from 'node:crypto';
import { env } from '@/lib/env';
import { enqueueSpan } from './export-spans';
import { isSampled, traceIdsOf } from './trace-ids';

/** The stages of a purchase. `entry` is the root of its trace, the others are its children. */
type Stage = 'entry' | 'purchase' | 'relay' | 'write order' | 'pay';

/** OTLP's span kinds. */
const INTERNAL = 1;
const SERVER = 2;
const KINDS: Partial<Record<Stage, number>> = { entry: SERVER, purchase: SERVER };

/** Says whether a collector is configured. Without one, this check is all that traces cost. */
export const isTracing = (): boolean => Boolean(env().trace);

/** Returns the time now, in epoch ms with a fraction. */
export const spanClock = (): number => performance.timeOrigin + performance.now();

/**
 * Records one stage of a purchase that has just ended. Does nothing without a collector.
 * @param jti of the entry token the purchase was made with. @param beganAt epoch ms
 */
export function recordSpan(
  stage: Stage,
  jti: string,
  beganAt: number,
  attributes: Readonly<Record<string, string>>,
): void {
  const { trace } = env();
  if (!trace) return;
  const { traceId, rootSpanId } = traceIdsOf(jti);
  if (!isSampled(traceId, trace.share)) return;
  const isRoot = stage === 'entry';
  enqueueSpan({
    traceId,
    spanId: isRoot ? rootSpanId : randomBytes(8).toString('hex'),
    ...(isRoot ? {} : { parentSpanId: rootSpanId }),
    name: stage,
    kind: KINDS[stage] ?? INTERNAL,
    startTimeUnixNano: toNanos(beganAt),
    // Redis's clock, which dates the acceptance, may be ahead of ours.
    endTimeUnixNano: toNanos(Math.max(beganAt, spanClock())),
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  });
}

/** Rounds to the microsecond: a double holds no finer epoch time. */
const toNanos = (ms: number): string => String(BigInt(Math.round(ms * 1_000)) * 1_000n);
