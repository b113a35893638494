import { sessionCookieName } from '@/lib/account/sessions/session-token';
import { env } from '@/lib/env';
import { alternate } from '../alternate';
import { type BenchContext, generatorNote, measureRate } from '../bench-context';
import { startReference } from '../reference/start-reference';
import { ratioRow } from '../report/ratio-row';
import type { FigureReport } from '../report/types';
import { signedInCookies } from '../stack/people';
import { dropBenchSale, openBenchSale } from '../stack/sales';

const TARGET_BARE = 0.7;
const TARGET_NEXT = 20;
/** Fewer than a crowd, so that making them takes seconds only; every one of them asks again and again. */
const PEOPLE = 2_000;

/**
 * Measures entries per second of two thousand signed-in shoppers, against a bare server that verifies the same
 * sessions and signs the same tokens, and against the route handler in Next.
 */
export async function measureEntry(context: BenchContext): Promise<FigureReport> {
  const { root, product } = context;
  const sale = await openBenchSale(100);
  const path = `/api/sales/${sale.saleId}/entry`;
  const requests = (await signedInCookies(PEOPLE)).map((cookie) => entryRequest(path, cookie));
  const bare = await startReference(root, 'bare-entry.ts', [
    env().nextAuthSecret,
    sessionCookieName(),
    sale.saleId,
  ]);
  const busy: number[] = [];
  const contestant = (name: string, port: number) => ({
    name,
    run: async () => {
      const rate = await measureRate(context, port, { kind: 'given', requests }, 200);
      busy.push(rate.result.busy);
      return rate.perSecond;
    },
  });
  try {
    const samples = await alternate(context.rounds, [
      contestant('fast path', product.fastPath.port),
      contestant('bare server', bare.port),
      contestant('Next', (await product.route()).port),
    ]);
    const fastPath = samples['fast path'] ?? [];
    const row = (name: string, target: number) =>
      ratioRow({
        figure: `entries/s, fast path : ${name}`,
        ours: fastPath,
        theirs: samples[name] ?? [],
        target: { atLeast: target },
      });
    return {
      name: 'entry',
      samples,
      rows: [row('bare server', TARGET_BARE), row('Next', TARGET_NEXT)],
      notes: generatorNote(busy),
    };
  } finally {
    bare.stop();
    await dropBenchSale(sale);
  }
}

const entryRequest = (path: string, cookie: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/json\r\nCookie: ${cookie}\r\nContent-Length: 0\r\n\r\n`;
