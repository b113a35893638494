import { createLoadUsers, loadUserId } from '@/lib/admin/load/create-load-users';
import type { Source } from '@/tools/bench/load/types';
import { signedInPeople } from '@/tools/bench/stack/people';
import { dropBenchSale, openBenchSale } from '@/tools/bench/stack/sales';
import { solvedProofs } from '@/tools/bench/stack/solved-proofs';
import type { Step, StepCost } from '../measurements';
import type { Size } from './calibrate';
import type { Stack } from './open-stack';
import { measureIdle, minus, type ProcessorClock, taken, usOf } from './processor-clock';
import { answersOf, askOnce, get, post, purchase } from './requests';

const CONNECTIONS = 64;
const STOCK = 1_000_000_000;
const BUYERS_WHO_LOOK = 100;

type Asked = {
  step: Step;
  /** Makes so many requests. */
  source: (count: number) => Source | Promise<Source>;
  expected: number;
  sample: string;
};
export type AskedSteps = { costs: Partial<Record<Step, StepCost>>; generatorUs: number };

/** Measures the steps that are requests: each alone, as fast as one web process answers, with writers at rest. */
export async function measureAsked(stack: Stack, clock: ProcessorClock, size: Size): Promise<AskedSteps> {
  const { product, takeUsers } = stack;
  const { port } = product.fastPath;
  const people = await signedInPeople(size.people);
  const cookies = people.map(({ cookie }) => cookie);
  const [sale, guarded, gone] = [
    await openBenchSale(STOCK),
    await openBenchSale(STOCK, { challenge: 'pow' }),
    await openBenchSale(1),
  ];
  const pages = get(`/sales/${sale.slug}`, 'Accept-Encoding: gzip\r\n');
  const own = (path: string) => cookies.map((cookie) => get(path, `Cookie: ${cookie}\r\n`));
  const enter = cookies.map((cookie) => post(`/api/sales/${sale.saleId}/entry`, cookie));
  const challenges = cookies.map((cookie) =>
    post(`/api/sales/${guarded.saleId}/challenge`, cookie, '{"kind":"pow"}'),
  );
  const withProofs = async (count: number): Promise<Source> => {
    const owners = Array.from(
      { length: count },
      (_, n) => people[n % people.length] as (typeof people)[number],
    );
    const proofs = await solvedProofs(owners.map(({ userId }) => ({ saleId: guarded.saleId, userId })));
    const requests = owners.map(({ cookie }, n) =>
      post(`/api/sales/${guarded.saleId}/entry`, cookie, JSON.stringify({ challenge: proofs[n] })),
    );
    return { kind: 'given', requests, isCyclic: false };
  };
  const looks = await buyersWhoLook(stack);
  const sold = await askOnce(port, purchase(gone, loadUserId(takeUsers(1))).request);
  if (sold.status !== 202) throw new Error(`the only unit could not be bought: ${sold.status}`);

  const repeated = (requests: readonly string[]) => (count: number) =>
    ({
      kind: 'given',
      requests: Array.from({ length: count }, (_, n) => requests[n % requests.length] ?? ''),
      isCyclic: false,
    }) as const;
  const buying = (target: typeof sale) => (count: number) =>
    ({ kind: 'purchases', targets: [target], fromUser: takeUsers(count), count, isCyclic: false }) as const;
  const someone = () => loadUserId(takeUsers(1));
  const asked: Asked[] = [
    { step: 'page', source: repeated([pages]), expected: 200, sample: pages },
    {
      step: 'visit',
      source: repeated(own(`/api/visit?slug=${sale.slug}`)),
      expected: 200,
      sample: own(`/api/visit?slug=${sale.slug}`)[0] ?? '',
    },
    {
      step: 'session',
      source: repeated(own('/api/auth/session')),
      expected: 200,
      sample: own('/api/auth/session')[0] ?? '',
    },
    { step: 'entry', source: repeated(enter), expected: 200, sample: enter[0] ?? '' },
    { step: 'challenge', source: repeated(challenges), expected: 200, sample: challenges[0] ?? '' },
    { step: 'entry-with-proof', source: withProofs, expected: 200, sample: '' },
    {
      step: 'state',
      source: repeated([get(`/api/sales/${sale.saleId}/state`)]),
      expected: 200,
      sample: get(`/api/sales/${sale.saleId}/state`),
    },
    {
      step: 'purchase',
      source: buying(sale),
      expected: 202,
      sample: purchase(sale, someone()).request,
    },
    {
      step: 'sold-out',
      source: buying(gone),
      expected: 409,
      sample: purchase(gone, someone()).request,
    },
    { step: 'own-order', source: repeated(looks), expected: 200, sample: looks[0] ?? '' },
  ];
  const costs: AskedSteps['costs'] = {};
  let generatorUs = 0;
  const { warmUp, requests, atMostSec } = size;
  const idle = await measureIdle(clock);
  for (const { step, source, expected, sample } of asked) {
    stack.say(`measuring ${step}`);
    const bytes = sample === '' ? (costs.entry?.bytes ?? 0) : (await askOnce(port, sample)).bytes;
    await run(stack, await source(warmUp), atMostSec, expected);
    const ready = await source(requests);
    const [before, generatorBefore, from] = [clock(), usOf(stack.generator.pid), performance.now()];
    const answered = await run(stack, ready, atMostSec, expected);
    costs[step] = { cpuUs: taken(minus(clock(), before), idle, performance.now() - from, answered), bytes };
    // The generator has also made the tokens of purchases: it is judged by requests that are made before.
    if (step === 'state') generatorUs = (usOf(stack.generator.pid) - generatorBefore) / answered;
  }
  await Promise.all([sale, guarded, gone].map(dropBenchSale));
  return { costs, generatorUs };
}

async function run(
  { generator, product }: Stack,
  source: Source,
  seconds: number,
  expected: number,
): Promise<number> {
  const { port } = product.fastPath;
  const result = await generator.run({ loop: 'closed', port, connections: CONNECTIONS, source, seconds });
  return answersOf(result, expected);
}

/** Returns what buyers ask about their orders while these are on their way. */
async function buyersWhoLook({ product, takeUsers }: Stack): Promise<string[]> {
  const sale = await openBenchSale(BUYERS_WHO_LOOK);
  const from = takeUsers(BUYERS_WHO_LOOK);
  await createLoadUsers(from + BUYERS_WHO_LOOK, from);
  const requests: string[] = [];
  for (let n = 0; n < BUYERS_WHO_LOOK; n += 1) {
    const { request, entryToken } = purchase(sale, loadUserId(from + n));
    const { body } = await askOnce(product.fastPath.port, request);
    const { orderNo } = JSON.parse(body) as { orderNo: string };
    requests.push(get(`/api/orders/${orderNo}`, `X-Entry-Token: ${entryToken}\r\n`));
  }
  return requests;
}
