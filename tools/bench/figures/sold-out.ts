import { type Figure, measureRate } from '../bench-context';
import { contest } from '../contest';
import { buildRequests } from '../load/requests';
import { startReference } from '../reference/start-reference';
import { openBenchSale } from '../stack/sales';

const TARGET = 0.85;
const USERS = 20_000;

/** Measures "sold out" answers per second, against node:http giving the same bytes to any request. */
export const measureSoldOut: Figure = async (context) => {
  const { product } = context;
  const purchases = { kind: 'purchases', targets: [await openBenchSale(1)] } as const;
  const fromUser = context.takeUsers(USERS);
  const [first = '', second = ''] = buildRequests({ ...purchases, fromUser, count: 2 });
  await askOnce(product.port, first, 202);
  const body = await askOnce(product.port, second, 409);
  const source = { ...purchases, fromUser: fromUser + 2, count: USERS - 2, isCyclic: true };
  const refusing = (port: number) => async () =>
    (await measureRate(context, { port, source, expected: 409 })).perSecond;
  return contest(
    context,
    {
      'fast path': refusing(product.port),
      constant: refusing(await startReference(context, 'constant-server.ts', { body })),
    },
    [
      {
        figure: 'sold-out answers/s, fast path : node:http with a constant',
        ours: 'fast path',
        theirs: 'constant',
        target: { atLeast: TARGET },
      },
    ],
    ['each request has its own user and token, all different from the buyer; the constant looks at neither.'],
  );
};

async function askOnce(port: number, request: string, expected: number): Promise<string> {
  const path = request.split(' ')[1] ?? '';
  const token = /X-Entry-Token: (\S+)/.exec(request)?.[1] ?? '';
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'x-entry-token': token },
  });
  const body = await response.text();
  if (response.status !== expected) throw new Error(`expected ${expected}, got ${response.status} ${body}`);
  return body;
}
