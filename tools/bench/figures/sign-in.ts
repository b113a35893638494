import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hashPassword } from '@/lib/account/hash-password';
import { env } from '@/lib/env';
import { alternate } from '../alternate';
import { type BenchContext, generatorNote, measureRate } from '../bench-context';
import { type Generator, startGenerator } from '../load/generator';
import { signInRequest } from '../load/sign-in-request';
import type { LoadResult } from '../load/types';
import { FAST_PATH_PER_SECOND } from '../measure-purchases';
import { msText, whole } from '../report/format';
import { measuredOnce, ratioRow } from '../report/ratio-row';
import { atMost, type FigureReport, type Row } from '../report/types';
import { PASSWORD, peopleWithPassword } from '../stack/people';
import { dropBenchSale, openBenchSale } from '../stack/sales';
import { median } from '../stats';

const TARGET = 0.9;
const STOCK = 1_000_000_000;
const PEOPLE = 2_000;
/** More than can be checked at once, and fewer than may wait: nobody is sent away. */
const CONNECTIONS = 64;
const CROWD = { full: 3_000, quick: 600 };
const CROWD_ARRIVES_WITHIN_MS = 2_000;
/** A round counts hashes of some 20 ms: three quarters of a second would count too few. */
const LEAST_SECONDS = 2;
const LEAD_MS = 500;
/** The threads for passwords have the lowest priority. */
const NICENESS = 19;

/**
 * Measures sign-ins per second of people with addresses of their own, against a process that does nothing but check
 * passwords; purchases beside a storm of sign-ins, against none; and a crowd larger than the line.
 */
export async function measureSignIn(context: BenchContext): Promise<FigureReport> {
  const { root, product, isQuick } = context;
  const { passwordThreads: cores } = env();
  const web = await product.startOwnWeb('web-sign-in', { TRUST_PROXY: '1' });
  const storm = startGenerator(root, product.env);
  const bare = startBareHash(root, cores, await hashPassword(PASSWORD));
  const sale = await openBenchSale(STOCK);
  const seconds = Math.max(context.seconds, LEAST_SECONDS);
  const emails = await peopleWithPassword(PEOPLE);
  const requests = emails.map((email, n) => signInRequest(email, PASSWORD, n));
  const signInsFor = (generator: Generator, length: number) =>
    generator.run({
      loop: 'closed',
      port: web.port,
      connections: CONNECTIONS,
      source: { kind: 'given', requests },
      seconds: length,
    });
  const busy: number[] = [];
  const p99s: Record<string, number[]> = { beside: [], alone: [] };
  const stormRates: number[] = [];
  const purchases = async (name: 'beside' | 'alone', round: number) => {
    const count = Math.ceil(FAST_PATH_PER_SECOND * context.seconds);
    const source = {
      kind: 'purchases',
      targets: [sale],
      fromUser: context.takeUsers(count),
      count,
      isCyclic: false,
    } as const;
    const { perSecond, result } = await measureRate(context, web.port, source, 202);
    if (round > 0) p99s[name]?.push(result.latencyMs.p99);
    busy.push(result.busy);
    return perSecond;
  };
  try {
    const rates = await alternate(context.rounds, [
      { name: 'sign-ins', run: async () => rateOf(await signInsFor(storm, seconds)) },
      { name: 'bare argon2id', run: () => bare.perSecond(seconds * 1_000) },
    ]);
    const sold = await alternate(context.rounds, [
      {
        name: 'beside',
        run: async (round) => {
          const stormy = signInsFor(storm, context.seconds + LEAD_MS / 1_000);
          await delay(LEAD_MS);
          const perSecond = await purchases('beside', round);
          stormRates.push(rateOf(await stormy));
          return perSecond;
        },
      },
      { name: 'alone', run: (round) => purchases('alone', round) },
    ]);
    const crowd = await storm.signIn({
      port: web.port,
      emails: await peopleWithPassword(isQuick ? CROWD.quick : CROWD.full),
      password: PASSWORD,
      arriveWithinMs: CROWD_ARRIVES_WITHIN_MS,
    });
    const size = isQuick ? CROWD.quick : CROWD.full;
    const left = size - crowd.signedIn + Object.values(crowd.errors).reduce((sum, each) => sum + each, 0);
    const p99 = (name: string) => median(p99s[name] ?? []);
    const perSecond = median(rates['sign-ins'] ?? []);
    const rows: Row[] = [
      ratioRow({
        figure: `sign-ins/s with ${cores} ${cores === 1 ? 'thread' : 'threads'} for passwords : bare argon2id`,
        ours: rates['sign-ins'] ?? [],
        theirs: rates['bare argon2id'] ?? [],
        target: { atLeast: TARGET },
      }),
      ratioRow({
        figure: 'purchases accepted/s beside a storm of sign-ins : none',
        ours: sold.beside ?? [],
        theirs: sold.alone ?? [],
        target: { atLeast: TARGET },
      }),
      {
        figure: 'purchase latency p99 beside the storm',
        measured: `alone ${msText(p99('alone'))}; ${whole(median(stormRates))} sign-ins/s meanwhile`,
        result: msText(p99('beside')),
        target: 'printed',
        verdict: 'info',
        ...measuredOnce(p99('beside'), 'less'),
      },
      {
        figure: `${whole(size)} people sign in within ${CROWD_ARRIVES_WITHIN_MS / 1_000} s: not in, or told an error`,
        measured: `${whole(crowd.toldToWait)} were told to come back; the wait told : the real one ${crowd.toldShare?.toFixed(2) ?? '–'}`,
        result: whole(left),
        target: '≤ 0',
        verdict: atMost(left, 0),
        ...measuredOnce(left, 'less'),
      },
      {
        figure: `… the last of them is in after`,
        measured: `p50 ${msText(crowd.waitedMs.p50)}; passwords alone take ${msText((size / perSecond) * 1_000)}`,
        result: msText(crowd.lastMs),
        target: 'printed',
        verdict: 'info',
        ...measuredOnce(crowd.lastMs, 'less'),
      },
    ];
    return {
      name: 'sign-in',
      rows,
      notes: generatorNote(busy),
      samples: {
        ...rates,
        ...sold,
        'p99 beside': p99s.beside ?? [],
        'p99 alone': p99s.alone ?? [],
        'sign-ins beside': stormRates,
      },
    };
  } finally {
    storm.stop();
    bare.stop();
    await web.stop();
    await dropBenchSale(sale);
  }
}

/** @throws when an answer was neither a sign-in nor an honest wait. */
function rateOf({ answers, elapsedMs }: LoadResult): number {
  const { 200: signedIn = 0, 503: waiting = 0, ...others } = answers;
  if (Object.keys(others).length > 0) throw new Error(`answered: ${JSON.stringify({ waiting, ...others })}`);
  return (signedIn / elapsedMs) * 1_000;
}

/** Starts the process that does nothing but check passwords. */
function startBareHash(root: string, threads: number, passwordHash: string) {
  const child = fork(
    join(root, 'tools/bench/reference/bare-hash.ts'),
    [String(threads), String(NICENESS), passwordHash, PASSWORD],
    {
      cwd: root,
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, UV_THREADPOOL_SIZE: String(threads) },
    },
  );
  const started = once(child, 'message');
  return {
    async perSecond(ms: number): Promise<number> {
      await started;
      child.send(ms);
      const [perSecond] = await once(child, 'message');
      return Number(perSecond);
    },
    stop: () => void child.kill(),
  };
}
