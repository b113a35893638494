import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hashPassword } from '@/lib/account/hash-password';
import { env } from '@/lib/env';
import { startAskedProcess } from '@/tools/harness/asked-process';
import { median } from '@/tools/harness/stats';
import { type Figure, measureRate, PLENTY, purchasesOf } from '../bench-context';
import { contest } from '../contest';
import { startGenerator } from '../load/generator';
import type { HashJob } from '../reference/bare-hash';
import { msText } from '../report/format';
import { singleRow } from '../report/rows';
import { PASSWORD, peopleWithPassword } from '../stack/people';
import { openBenchSale } from '../stack/sales';

const TARGET = 0.9;
const PEOPLE = 2_000;
/** A round counts hashes of some 20 ms: three quarters of a second would count too few. */
const LEAST_SECONDS = 2;
const LEAD_MS = 500;
/** The threads for passwords have the lowest priority. */
const NICENESS = 19;

const ofSignIns = (threads: number) => ({
  figure: `sign-ins/s with ${threads} ${threads === 1 ? 'thread' : 'threads'} for passwords : bare argon2id`,
  ours: 'sign-ins' as const,
  theirs: 'bare argon2id' as const,
  target: { atLeast: TARGET },
});
const BESIDE = {
  figure: 'purchases accepted/s beside a storm of sign-ins : none',
  ours: 'beside',
  theirs: 'alone',
  target: { atLeast: TARGET },
} as const;

/**
 * Measures sign-ins per second of people with addresses of their own, against a process that does nothing but check
 * passwords; and purchases beside a storm of sign-ins, against none.
 */
export const measureSignIn: Figure = async (context) => {
  const { root, product, atEnd } = context;
  const { passwordThreads: threads } = env();
  const { port, stop } = await product.startWeb('web-sign-in', { TRUST_PROXY: '1' });
  atEnd(stop);
  const storm = startGenerator(root, product.env);
  atEnd(storm.stop);
  const bare = startAskedProcess<HashJob, number>(join(root, 'tools/bench/reference/bare-hash.ts'), {
    ...process.env,
    UV_THREADPOOL_SIZE: String(threads),
  });
  atEnd(bare.stop);
  const hashing = {
    threads,
    niceness: NICENESS,
    passwordHash: await hashPassword(PASSWORD),
    password: PASSWORD,
  };
  const targets = [await openBenchSale(PLENTY)];
  const longer = Math.max(context.seconds, LEAST_SECONDS);
  const requests = (await peopleWithPassword(PEOPLE)).map(signInRequest);
  /** An honest wait is a fine answer, too. */
  const signIns = async (seconds: number) => {
    const source = { kind: 'given', requests } as const;
    const load = { generator: storm, port, source, expected: 200, tolerated: 503, seconds };
    return (await measureRate(context, load)).perSecond;
  };
  const p99s: number[] = [];
  const purchases = () =>
    measureRate(context, { port, source: purchasesOf(context, targets), expected: 202 });
  const beside = async (round: number) => {
    const stormy = signIns(context.seconds + LEAD_MS / 1_000);
    await delay(LEAD_MS);
    const { perSecond, result } = await purchases();
    await stormy;
    if (round > 0) p99s.push(result.latencyMs.p99);
    return perSecond;
  };
  const rates = await contest(
    context,
    {
      'sign-ins': () => signIns(longer),
      'bare argon2id': () => bare.ask({ ...hashing, ms: longer * 1_000 }),
    },
    [ofSignIns(threads)],
  );
  const sold = await contest(context, { beside, alone: async () => (await purchases()).perSecond }, [BESIDE]);
  const p99 = singleRow({
    figure: 'purchase latency p99 beside the storm',
    measured: 'median of the rounds',
    value: median(p99s),
    target: 'printed',
    text: msText,
  });
  return {
    rows: [...rates.rows, ...sold.rows, p99],
    samples: { ...rates.samples, ...sold.samples, 'p99 beside': p99s },
    notes: [],
  };
};

/**
 * Builds the complete bytes of a sign-in as a page of ours sends it.
 * @param n the person's number: it makes their address, as a proxy of ours tells it (`TRUST_PROXY=1`)
 */
function signInRequest(email: string, n: number): string {
  const body = JSON.stringify({ email, password: PASSWORD, locale: 'en' });
  return `POST /api/auth/callback/credentials HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nX-Forwarded-For: 100.64.${(n >> 8) & 255}.${n & 255}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
