import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { UsageError } from '@/scripts/usage-error';

/** The kinds of processes whose time is counted. `web` includes Next's process behind it. */
export const KINDS = ['web', 'redis', 'postgres', 'worker', 'executor'] as const;
export type Kind = (typeof KINDS)[number];

/** What a shopper does, or what is done for one, in the order of a sale. */
export const STEPS = [
  'sign-in',
  'page',
  'visit',
  'session',
  'challenge',
  'entry',
  'entry-with-proof',
  'told',
  'state',
  'purchase',
  'sold-out',
  'own-order',
  'written',
  'paid',
  'expired',
] as const;
export type Step = (typeof STEPS)[number];

const notNegative = z.number().min(0).max(1e12);
const cost = z.strictObject({
  /** Processor time of one, by kind of process, in µs. */
  cpuUs: z.strictObject(
    Object.fromEntries(KINDS.map((kind) => [kind, notNegative])) as Record<Kind, typeof notNegative>,
  ),
  /** Bytes to the client. */
  bytes: notNegative,
});

const measurements = z.strictObject({
  version: z.literal(1),
  machine: z.strictObject({
    date: z.string().max(40),
    cpu: z.string().max(200),
    cores: z.int().min(1).max(10_000),
    node: z.string().max(40),
    redis: z.string().max(40),
    postgres: z.string().max(40),
    /** Load average just before: above 0 others were at work, and times are longer than they need be. */
    loadBefore: notNegative,
  }),
  steps: z.strictObject(Object.fromEntries(STEPS.map((step) => [step, cost])) as Record<Step, typeof cost>),
  /** Time that a busy Redis has a purchase in hand: its processor time, and its share of a sync of the file, in µs. */
  redisBusyUs: notNegative,
  /** Processor time of our load generator for one request, in µs: it counts where it shares the machine. */
  generatorUs: notNegative,
  memory: z.strictObject({
    webMiB: notNegative,
    nextMiB: notNegative,
    workerMiB: notNegative,
    executorMiB: notNegative,
    streamKiB: notNegative,
    redisBytesPerBuyer: notNegative,
  }),
  disk: z.strictObject({
    postgresBytesPerPerson: notNegative,
    postgresBytesPerOrder: notNegative,
    walBytesPerOrder: notNegative,
    redisFileBytesPerPurchase: notNegative,
  }),
  limits: z.strictObject({ streamsPerProcess: z.int().min(1), filesPerProcess: z.int().min(1) }),
});

/** What one machine was measured to need. */
export type Measurements = z.output<typeof measurements>;
export type StepCost = z.output<typeof cost>;

/** Reads a file that `--save` wrote. @throws UsageError when it is none */
export function readMeasurements(path: string): Measurements {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new UsageError(`${path} cannot be read${code}`);
  }
  const found = measurements.safeParse(parsed(text));
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  const where = issue?.path.join('.') || 'it';
  throw new UsageError(`${path} holds no measurements of npm run capacity: ${where}: ${issue?.message}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
