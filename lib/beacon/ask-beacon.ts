import { limitMs } from '@/lib/time-limits';
import 'server-only';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { nowMs } from '@/lib/clock';
import { roundAfter } from './round-after';

const RETRY_MS = 250;
const MAX_BYTES = 10_000;
/** A beacon tells a round some time after it is due. */
const GRACE_MS = 5_000;
/** A slower beacon keeps people waiting for too long. */
const MAX_WAIT_MS = 40_000;

const info = z.object({
  genesis_time: z.int().min(0),
  period: z.int().min(1).max(3_600),
});
const value = z.object({
  round: z.int().min(1),
  randomness: z.string().regex(/^[0-9a-f]{64}$/),
  signature: z
    .string()
    .regex(/^([0-9a-f]{2}){1,512}$/)
    .optional(),
});

/**
 * Asks a public randomness beacon for its first value after a moment, by drand's HTTP interface (`/info` and
 * `/public/{round}`). An answer for another round, or one that doesn't fit its own signature, counts as none. We don't
 * check the signature itself; anybody can, at any of the network's servers.
 * @param url of the chain, such as https://api.drand.sh/52db9ba7…; @param after epoch ms
 * @param graceMs how long it may be late
 * @returns `<round>:<randomness in hex>`; null if there is none within seconds
 */
export async function askBeacon(url: string, after: number, graceMs = GRACE_MS): Promise<string | null> {
  const base = url.replace(/\/+$/, '');
  const schedule = await ask(`${base}/info`, info, nowMs() + graceMs);
  if (!schedule) return null;
  const { round, dueAt } = roundAfter(
    { genesisSec: schedule.genesis_time, periodSec: schedule.period },
    after,
  );
  const waitMs = dueAt - nowMs();
  if (waitMs > MAX_WAIT_MS) return null;
  if (waitMs > 0) await delay(waitMs);
  const told = await ask(
    `${base}/public/${round}`,
    value.refine((given) => given.round === round && fitsSignature(given)),
    nowMs() + graceMs,
  );
  return told && `${told.round}:${told.randomness}`;
}

/** drand's randomness is SHA-256 of its signature. */
const fitsSignature = ({ randomness, signature }: z.output<typeof value>): boolean =>
  signature === undefined ||
  createHash('sha256').update(Buffer.from(signature, 'hex')).digest('hex') === randomness;

/** Asks until the answer has the form, or it is too late. */
async function ask<T>(url: string, form: z.ZodType<T>, until: number): Promise<T | null> {
  for (;;) {
    const answer = form.safeParse(await get(url, until).catch(() => null));
    if (answer.success) return answer.data;
    if (nowMs() + RETRY_MS >= until) return null;
    await delay(RETRY_MS);
  }
}

/** Reads a small JSON answer. Null: it is none. @throws if it doesn't come in time */
async function get(url: string, until: number): Promise<unknown> {
  const giveUp = new AbortController();
  const timer = setTimeout(
    () => giveUp.abort(),
    Math.max(1, Math.min(limitMs('beaconRequest'), until - nowMs())),
  );
  try {
    const { signal } = giveUp;
    const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
    const reader = response.body?.getReader();
    if (!reader) return null;
    // Node 20 does not always end a body that is being read when its request is aborted.
    signal.addEventListener('abort', () => void reader.cancel().catch(() => null));
    const chunks: Uint8Array[] = [];
    let length = 0;
    for (;;) {
      const { done, value: chunk } = await reader.read();
      if (done) break;
      length += chunk.length;
      if (length > MAX_BYTES || !response.ok) {
        await reader.cancel();
        return null;
      }
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } finally {
    clearTimeout(timer);
  }
}
