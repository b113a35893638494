import { alternate } from '../alternate';
import { type BenchContext, generatorNote, measureRate } from '../bench-context';
import { ratioRow } from '../report/ratio-row';
import type { FigureReport } from '../report/types';
import { signedInCookies } from '../stack/people';

const TARGET = 10;
const PEOPLE = 2_000;
/** Questions of a page on a visit, by the name of the figure. */
const QUESTIONS = {
  visit: '/api/visit',
  session: '/api/auth/session',
  'orders-read': '/api/orders',
  unread: '/api/notifications/unread',
} as const;

/** Measures what pages ask of a signed-in shopper's own things, against the route handlers in Next. */
export async function measureSession(context: BenchContext): Promise<FigureReport> {
  const { product } = context;
  const cookies = await signedInCookies(PEOPLE);
  const { port: nextPort } = await product.route();
  const busy: number[] = [];
  const contestant = (name: string, port: number, path: string) => ({
    name,
    run: async () => {
      const requests = cookies.map(
        (cookie) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`,
      );
      const rate = await measureRate(context, port, { kind: 'given', requests }, 200);
      busy.push(rate.result.busy);
      return rate.perSecond;
    },
  });
  const samples = await alternate(
    context.rounds,
    Object.entries(QUESTIONS).flatMap(([name, path]) => [
      contestant(`${name} fast path`, product.fastPath.port, path),
      contestant(`${name} Next`, nextPort, path),
    ]),
  );
  const row = ([name, path]: [string, string]) =>
    ratioRow({
      figure: `${name}: \`GET ${path}\`, answers/s, fast path : Next`,
      ours: samples[`${name} fast path`] ?? [],
      theirs: samples[`${name} Next`] ?? [],
      target: { atLeast: TARGET },
    });
  return { name: 'session', samples, rows: Object.entries(QUESTIONS).map(row), notes: generatorNote(busy) };
}
