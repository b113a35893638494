import { sessionCookieName } from '@/lib/account/sessions/session-token';
import { env } from '@/lib/env';
import { alternate } from '../alternate';
import { type BenchContext, generatorNote, measureRate } from '../bench-context';
import { startReference } from '../reference/start-reference';
import { ratioRow } from '../report/ratio-row';
import type { FigureReport } from '../report/types';
import { signedInPeople } from '../stack/people';
import { type BenchSale, dropBenchSale, openBenchSale } from '../stack/sales';
import { solvedProofs } from '../stack/solved-proofs';

const TARGET_BARE = 0.7;
const TARGET_NEXT = 20;
/** Fewer than a crowd, so that making them takes seconds only; every one of them asks again and again. */
const PEOPLE = 2_000;
/** More than any machine answers. */
const MOST_PER_SECOND = 15_000;
const TARGET_PROOF = 0.5;
/** A round with proofs of work: each is good for one entry, and making them takes longer than using them up. */
const PROOF_SECONDS = 1;

/**
 * Measures entries per second of two thousand signed-in shoppers, against a bare server that verifies the same
 * sessions and signs the same tokens, and against the route handler in Next.
 */
export async function measureEntry(context: BenchContext): Promise<FigureReport> {
  const { root, product } = context;
  const [sale, guarded] = [await openBenchSale(100), await openBenchSale(100, { challenge: 'pow' })];
  const people = await signedInPeople(PEOPLE);
  const requests = people.map(({ cookie }) => entryRequest(sale, cookie));
  const bare = await startReference(root, 'bare-entry.ts', [
    env().nextAuthSecrets[0],
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
  const withProof = {
    name: 'with a proof of work',
    run: async () => {
      const count = Math.ceil(MOST_PER_SECOND * PROOF_SECONDS);
      const each = Array.from({ length: count }, (_, n) => people[n % PEOPLE] as (typeof people)[number]);
      const proofs = await solvedProofs(each.map(({ userId }) => ({ saleId: guarded.saleId, userId })));
      const requests = each.map(({ cookie }, n) =>
        entryRequest(guarded, cookie, JSON.stringify({ challenge: proofs[n] })),
      );
      const source = { kind: 'given', requests, isCyclic: false } as const;
      const short = { ...context, seconds: PROOF_SECONDS };
      return (await measureRate(short, product.fastPath.port, source, 200)).perSecond;
    },
  };
  try {
    const samples = await alternate(context.rounds, [
      contestant('fast path', product.fastPath.port),
      withProof,
      contestant('bare server', bare.port),
      contestant('Next', (await product.route()).port),
    ]);
    const row = (name: string, target: number, ours = 'fast path') =>
      ratioRow({
        figure: `entries/s, ${ours} : ${name}`,
        ours: samples[ours] ?? [],
        theirs: samples[name] ?? [],
        target: { atLeast: target },
      });
    return {
      name: 'entry',
      samples,
      rows: [
        row('bare server', TARGET_BARE),
        row('Next', TARGET_NEXT),
        row('bare server', TARGET_PROOF, withProof.name),
      ],
      notes: [
        'the bare server judges no proof of work. A round with them lasts a second, and each proof is used once.',
        ...generatorNote(busy),
      ],
    };
  } finally {
    bare.stop();
    await Promise.all([dropBenchSale(sale), dropBenchSale(guarded)]);
  }
}

const entryRequest = ({ saleId }: BenchSale, cookie: string, body = ''): string =>
  `POST /api/sales/${saleId}/entry HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/json\r\nCookie: ${cookie}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
