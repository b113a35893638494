import { loadUserId } from '@/lib/load-test/create-load-users';
import { alternate } from '../alternate';
import { type BenchContext, generatorNote, measureRate } from '../bench-context';
import { buildRequests } from '../load/requests';
import { startReference } from '../reference/start-reference';
import { ratioRow } from '../report/ratio-row';
import type { FigureReport } from '../report/types';
import { dropBenchSale, openBenchSale } from '../stack/sales';

const TARGET = 0.85;
const USERS = 20_000;

/** Measures "sold out" answers per second, against node:http giving the same bytes to any request. */
export async function measureSoldOut(context: BenchContext): Promise<FigureReport> {
  const { root, product } = context;
  const sale = await openBenchSale(1);
  const fromUser = context.takeUsers(USERS);
  const source = {
    kind: 'purchases',
    targets: [sale],
    fromUser: fromUser + 2,
    count: USERS - 2,
    isCyclic: true,
  } as const;
  await firstBuyer(product.fastPath.port, { ...source, fromUser, count: 1 });
  const refusal = await askOnce(product.fastPath.port, { ...source, fromUser: fromUser + 1, count: 1 });
  if (refusal.status !== 409)
    throw new Error(`${loadUserId(fromUser + 1)} was not refused: ${refusal.status}`);
  const constant = await startReference(root, 'constant-server.ts', ['409', refusal.body]);
  const busy: number[] = [];
  const contestant = (name: string, port: number) => ({
    name,
    run: async () => {
      const rate = await measureRate(context, port, source, 409);
      busy.push(rate.result.busy);
      return rate.perSecond;
    },
  });
  try {
    const samples = await alternate(context.rounds, [
      contestant('fast path', product.fastPath.port),
      contestant('constant', constant.port),
    ]);
    return {
      name: 'sold out',
      samples,
      rows: [
        ratioRow({
          figure: 'sold-out answers/s, fast path : node:http with a constant',
          ours: samples['fast path'] ?? [],
          theirs: samples.constant ?? [],
          target: { atLeast: TARGET },
        }),
      ],
      notes: [
        'each request has its own user and token, all different from the buyer; the constant looks at neither.',
        ...generatorNote(busy),
      ],
    };
  } finally {
    constant.stop();
    await dropBenchSale(sale);
  }
}

type Purchases = Parameters<typeof buildRequests>[0];

async function firstBuyer(port: number, source: Purchases): Promise<void> {
  const { status, body } = await askOnce(port, source);
  if (status !== 202) throw new Error(`the only unit could not be bought: ${status} ${body}`);
}

async function askOnce(port: number, source: Purchases): Promise<{ status: number; body: string }> {
  const [request = ''] = buildRequests(source);
  const path = request.split(' ')[1] ?? '';
  const token = /X-Entry-Token: (\S+)/.exec(request)?.[1] ?? '';
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'x-entry-token': token },
  });
  return { status: response.status, body: await response.text() };
}
