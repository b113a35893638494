import { loadUserId } from '@/lib/admin/load/create-load-users';
import type { Source } from '@/tools/bench/load/types';
import { whole } from '@/tools/bench/report/format';
import { signedInCookies } from '@/tools/bench/stack/people';
import { dropBenchSale, openBenchSale } from '@/tools/bench/stack/sales';
import { observed, type Pids } from './measure/observed';
import type { Stack } from './measure/open-stack';
import { storePids } from './measure/processor-clock';
import { answersOf, askOnce, post, purchase } from './measure/requests';
import type { Measurements, Step } from './measurements';
import { type Ceiling, predictRate } from './model/predict';

const CONNECTIONS = 64;
const STOCK = 1_000_000_000;
const MOST_PER_SECOND = 30_000;
const PEOPLE = 2_000;
/** Of the rate that was found, in the run that looks how busy the web process is. */
const HALF = 0.5;
/** A new process answers slowly at first; so many requests, or as many as it answers in so long. */
const WARM_UP = 4_000;
const WARM_UP_SEC = 8;
/** Requests are made before the load begins. */
const BUILT_WITHIN_MS = 4_000;

/**
 * A prediction and what a run found. `cores`: left by whatever else ran on the machine meanwhile. `diskStalled`: share of the time in which
 * somebody waited for a disk, which no prediction counts.
 */
export type Checked = {
  what: string;
  webs: number;
  cores: number;
  by: Ceiling['by'] | 'the utilisation law';
  predicted: number;
  measured: number;
  diskStalled: number;
};

const STEPS = ['purchase', 'sold-out', 'entry'] as const satisfies readonly Step[];

/**
 * Puts load on one and on two web processes, for `seconds` each, and compares: how many are answered per second at most, and
 * how busy a web process is at half of it. Load generator, Redis and Postgres share the machine: the prediction counts them,
 * and what other programs took during the run.
 */
export async function checkPredictions(
  stack: Stack,
  measured: Measurements,
  seconds: number,
): Promise<Checked[]> {
  const { product, say } = stack;
  const found: Checked[] = [];
  for (const webs of [1, 2]) {
    say(`checking ${webs} web ${webs === 1 ? 'process' : 'processes'}`);
    const own = webs === 1 ? null : await product.startOwnWeb('capacity', { WEB_CONCURRENCY: String(webs) });
    const { port, pid } = own ?? product.fastPath;
    try {
      const { redis, postgres } = await storePids();
      const pids = { web: pid, others: [redis, postgres, stack.generator.pid] };
      for (const step of STEPS)
        found.push(await checkRate(stack, measured, { step, webs, port, pids, seconds }));
      const rate = found.findLast(({ what }) => what.startsWith('purchase'))?.measured ?? 0;
      found.push(
        await checkBusy(stack, measured, { webs, port, pids, perSecond: Math.ceil(rate * HALF), seconds }),
      );
    } finally {
      await own?.stop();
    }
  }
  return found;
}

type Web = { webs: number; port: number; pids: Pids; seconds: number };

async function checkRate(
  stack: Stack,
  measured: Measurements,
  { step, webs, port, pids, seconds }: Web & { step: Step },
): Promise<Checked> {
  const { source, expected, end } = await requestsOf(stack, step, port, Math.ceil(MOST_PER_SECOND * seconds));
  const warm = await requestsOf(stack, step, port, WARM_UP);
  await stack.generator.run({
    loop: 'closed',
    port,
    connections: CONNECTIONS,
    source: warm.source,
    seconds: WARM_UP_SEC,
  });
  const { result, cores, diskStalled } = await observed(pids, () =>
    stack.generator.run({ loop: 'closed', port, connections: CONNECTIONS, source, seconds }),
  );
  await Promise.all([end(), warm.end()]);
  const { perSecond, by } = predictRate(step, { webs, cores }, measured);
  return {
    what: `${step}, answers/s at most`,
    webs,
    cores,
    by,
    predicted: perSecond,
    measured: (answersOf(result, expected) / result.elapsedMs) * 1_000,
    diskStalled,
  };
}

async function checkBusy(
  stack: Stack,
  { steps }: Measurements,
  { webs, port, pids, perSecond, seconds }: Web & { perSecond: number },
): Promise<Checked> {
  const count = Math.ceil(perSecond * seconds);
  const sale = await openBenchSale(STOCK);
  const { generator } = stack;
  const source = {
    kind: 'purchases',
    targets: [sale],
    fromUser: stack.takeUsers(count),
    count,
    isCyclic: false,
  } as const;
  const windowMs = seconds * 1_000;
  const startAtMs = Date.now() + BUILT_WITHIN_MS;
  const { result, cores, webBusy, idleBusy, diskStalled } = await observed(pids, () =>
    generator.run({ loop: 'open', port, connections: CONNECTIONS, source, startAtMs, windowMs, count }),
  );
  await dropBenchSale(sale);
  answersOf(result, 202);
  return {
    what: `${whole(perSecond)} purchases/s: percent of a core that a web process is busy`,
    webs,
    cores,
    by: 'the utilisation law',
    // What it does while nothing happens comes on top.
    predicted: ((perSecond * steps.purchase.cpuUs.web) / 1e4 + idleBusy * 100) / webs,
    measured: (webBusy * 100) / webs,
    diskStalled,
  };
}

type Requests = { source: Source; expected: number; end(): Promise<unknown> };

/** Makes so many requests of one kind, each to be sent once. */
async function requestsOf({ takeUsers }: Stack, step: Step, port: number, count: number): Promise<Requests> {
  const sale = await openBenchSale(step === 'sold-out' ? 1 : STOCK);
  const end = () => dropBenchSale(sale);
  if (step === 'entry') {
    const cookies = await signedInCookies(PEOPLE);
    const enter = (n: number) => post(`/api/sales/${sale.saleId}/entry`, cookies[n % PEOPLE] ?? '');
    const requests = Array.from({ length: count }, (_, n) => enter(n));
    return { source: { kind: 'given', requests, isCyclic: false }, expected: 200, end };
  }
  const fromUser = takeUsers(count + 1);
  if (step === 'sold-out') {
    const { status } = await askOnce(port, purchase(sale, loadUserId(fromUser + count)).request);
    if (status !== 202) throw new Error(`the only unit could not be bought: ${status}`);
  }
  const source = { kind: 'purchases', targets: [sale], fromUser, count, isCyclic: false } as const;
  return { source, expected: step === 'sold-out' ? 409 : 202, end };
}

/** Writes predictions beside what the runs found. */
export function renderChecked(checked: readonly Checked[]): string[] {
  return [
    'Predicted and measured on this machine',
    ...checked.map(({ what, webs, cores, by, predicted, measured, diskStalled }) => {
      const ratio = (measured / predicted).toFixed(2);
      const place = `${webs} web, ${cores.toFixed(1)} cores free, disk waited for ${whole(diskStalled * 100)} %`;
      return `  ${place}: ${what}: predicted ${whole(predicted)} (by ${by}), measured ${whole(measured)}: ${ratio}`;
    }),
    '',
  ];
}
