import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../stats';
import { createPersonConnection } from './person-connection';
import { signInRequest } from './sign-in-request';

/** People who all want to sign in. Each comes from an address of their own and tries again as the shop says. */
export type SignInCrowd = {
  port: number;
  emails: readonly string[];
  password: string;
  /** They come evenly within this time, ms. */
  arriveWithinMs: number;
};

export type SignInCrowdResult = {
  signedIn: number;
  /** People who were told to come back at least once. */
  toldToWait: number;
  /** Answers that were neither a sign-in nor an honest wait, by status. */
  errors: Record<number, number>;
  /** From coming to being in, ms. */
  waitedMs: { p50: number; max: number };
  /** Ratio of the wait announced first to the real one, median; null if nobody had to wait. */
  toldShare: number | null;
  lastMs: number;
};

const GIVE_UP_MS = 100_000;
const JITTER = 0.1;

/** Lets them all in. */
export async function runSignInCrowd(crowd: SignInCrowd): Promise<SignInCrowdResult> {
  const { emails, arriveWithinMs } = crowd;
  const from = performance.now();
  const errors: Record<number, number> = {};
  const people = await Promise.all(
    emails.map(async (email, n) => {
      await delay((n * arriveWithinMs) / emails.length);
      return comeIn(crowd, email, n, from + GIVE_UP_MS, errors);
    }),
  );
  const lastMs = performance.now() - from;
  const inside = people.filter(({ isIn }) => isIn);
  const told = inside.filter(({ toldMs }) => toldMs !== null);
  const waits = inside.map(({ waitedMs }) => waitedMs);
  const of = (values: readonly number[], percent: number) =>
    values.length > 0 ? percentile(values, percent) : Number.NaN;
  return {
    signedIn: inside.length,
    toldToWait: told.length,
    errors,
    waitedMs: { p50: of(waits, 50), max: of(waits, 100) },
    toldShare:
      told.length === 0
        ? null
        : of(
            told.map(({ toldMs, waitedMs }) => (toldMs ?? 0) / waitedMs),
            50,
          ),
    lastMs,
  };
}

async function comeIn(
  { port, password }: SignInCrowd,
  email: string,
  n: number,
  giveUpAt: number,
  errors: Record<number, number>,
) {
  const address = `127.${2 + (n >> 14)}.${(n >> 7) & 127}.${(n & 127) + 1}`;
  const connection = createPersonConnection(port, address);
  const from = performance.now();
  let toldMs: number | null = null;
  let cookie = '';
  try {
    while (performance.now() < giveUpAt) {
      const reply = await connection.ask(signInRequest(email, password, n, cookie));
      if (reply.status === 200) return { isIn: true, toldMs, waitedMs: performance.now() - from };
      if (reply.status !== 503) errors[reply.status] = (errors[reply.status] ?? 0) + 1;
      cookie = /\r\nset-cookie: ([^;\r]*)/i.exec(reply.head)?.[1] ?? cookie;
      const waitMs = numberOf(reply.body, 'retryAfterMs') ?? 1_000;
      toldMs ??= numberOf(reply.body, 'expectedMs') ?? waitMs;
      await delay(waitMs * (1 + JITTER * Math.random()));
    }
    return { isIn: false, toldMs, waitedMs: performance.now() - from };
  } finally {
    connection.close();
  }
}

function numberOf(json: string, name: string): number | null {
  const found = new RegExp(`"${name}":(\\d+)`).exec(json);
  return found ? Number(found[1]) : null;
}
