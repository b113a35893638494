import { Cron } from 'croner';
import { z } from 'zod';

const DEFAULT_RETRIES = 4;
const MAX_RETRIES = 20;
/** The triggers that the executor fires itself. Every other `inngest/…` event exists on the real server only. */
const FAILED_EVENT = 'inngest/function.failed';
const ON_FAILURE = /^event\.data\.function_id == '([^']+)'$/;

const limit = z.number().int().positive();
const concurrencySchema = z.strictObject(
  { limit, scope: z.literal('fn').optional() },
  'only a limit of the function itself',
);

// Strict on purpose: registration must refuse, by name, a setting that the executor would ignore (cancel,
// batchEvents, throttle …).
const functionSchema = z.strictObject({
  id: z.string().min(1).max(200),
  name: z.string().optional(),
  triggers: z
    .array(
      z.union([
        z.strictObject({ event: z.string().min(1), expression: z.string().optional() }),
        z.strictObject({ cron: z.string() }, 'cron triggers take no jitter'),
      ]),
    )
    .min(1, 'needs a trigger'),
  steps: z.object({
    step: z.object({
      runtime: z.object({
        type: z.literal('http', 'only functions served over HTTP'),
        url: z.url({ protocol: /^https?$/ }),
      }),
      retries: z.object({ attempts: z.number().int().min(0).max(MAX_RETRIES).optional() }).optional(),
    }),
  }),
  concurrency: z
    .union([limit, concurrencySchema, z.tuple([concurrencySchema], 'only one limit')])
    .transform((value) =>
      typeof value === 'number' ? value : Array.isArray(value) ? value[0].limit : value.limit,
    )
    .optional(),
});

/** A function as the executor stores it. */
export interface ParsedFunction {
  id: string;
  url: string;
  maxAttempts: number;
  concurrency: number | null;
  crons: string[];
  triggers: { eventName: string; failedFunctionId: string }[];
}

/**
 * Returns the next tick of a cron expression, strictly after a time.
 * @param expression 5 fields, optionally after `TZ=Area/City `; UTC otherwise, as on the real server.
 * @throws Error when the expression is not valid.
 */
export function nextTick(expression: string, after: Date): Date | null {
  const match = expression.match(/^(?:TZ=(\S+)\s+)?(.+)$/);
  return new Cron(match?.[2] ?? '', { mode: '5-part', timezone: match?.[1] ?? 'UTC', paused: true }).nextRun(
    after,
  );
}

function parseTrigger(event: string, expression: string | undefined) {
  if (event.startsWith('inngest/') && event !== FAILED_EVENT)
    throw new Error(`the event ${event} is not supported`);
  if (!expression) return { eventName: event, failedFunctionId: '' };
  const failedFunctionId = event === FAILED_EVENT ? expression.match(ON_FAILURE)?.[1] : undefined;
  if (!failedFunctionId) throw new Error(`trigger expressions (if) are not supported: ${expression}`);
  return { eventName: event, failedFunctionId };
}

/**
 * Reads one function of a registration.
 * @throws Error that names the setting that the embedded executor does not support.
 */
export function parseFunction(config: unknown): ParsedFunction {
  const parsed = functionSchema.safeParse(config);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  const { id, steps, concurrency, triggers } = parsed.data;
  const crons = triggers.flatMap((trigger) => ('cron' in trigger ? [trigger.cron] : []));
  for (const cron of crons) nextTick(cron, new Date());
  return {
    id,
    url: steps.step.runtime.url,
    maxAttempts: (steps.step.retries?.attempts ?? DEFAULT_RETRIES) + 1,
    concurrency: concurrency ?? null,
    crons,
    triggers: triggers.flatMap((t) => ('event' in t ? [parseTrigger(t.event, t.expression)] : [])),
  };
}
