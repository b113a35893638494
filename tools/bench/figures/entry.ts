import { sessionCookieName } from '@/lib/account/sessions/session-token';
import { env } from '@/lib/env';
import { type Figure, measureRate } from '../bench-context';
import { contest } from '../contest';
import { startReference } from '../reference/start-reference';
import { signedInPeople } from '../stack/people';
import { WITHOUT_FAST_PATH } from '../stack/product';
import { type BenchSale, openBenchSale } from '../stack/sales';
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
export const measureEntry: Figure = async (context) => {
  const [sale, guarded] = [await openBenchSale(100), await openBenchSale(100, { challenge: 'pow' })];
  const people = await signedInPeople(PEOPLE);
  const requests = people.map(({ cookie }) => entryRequest(sale, cookie));
  const bare = await startReference(context, 'bare-entry.ts', {
    secret: env().nextAuthSecrets[0],
    cookieName: sessionCookieName(),
    saleId: sale.saleId,
  });
  const next = await context.product.startWeb('web-route', WITHOUT_FAST_PATH);
  context.atEnd(next.stop);
  const entering = (port?: number) => async () => {
    const { perSecond } = await measureRate(context, {
      port,
      expected: 200,
      source: { kind: 'given', requests },
    });
    return perSecond;
  };
  const withProof = async () => {
    const each = Array.from(
      { length: MOST_PER_SECOND * PROOF_SECONDS },
      (_, n) => people[n % PEOPLE] as (typeof people)[number],
    );
    const proofs = await solvedProofs(each.map(({ userId }) => ({ saleId: guarded.saleId, userId })));
    const proven = each.map(({ cookie }, n) =>
      entryRequest(guarded, cookie, JSON.stringify({ challenge: proofs[n] })),
    );
    const source = { kind: 'given', requests: proven, isCyclic: false } as const;
    return (await measureRate(context, { source, expected: 200, seconds: PROOF_SECONDS })).perSecond;
  };
  const pair = (ours: string, theirs: string, atLeast: number) => ({
    figure: `entries/s, ${ours} : ${theirs}`,
    ours,
    theirs,
    target: { atLeast },
  });
  return contest(
    context,
    {
      'fast path': entering(),
      'with a proof of work': withProof,
      'bare server': entering(bare),
      Next: entering(next.port),
    },
    [
      pair('fast path', 'bare server', TARGET_BARE),
      pair('fast path', 'Next', TARGET_NEXT),
      pair('with a proof of work', 'bare server', TARGET_PROOF),
    ],
    [
      'the bare server judges no proof of work. A round with them lasts a second, and each proof is used once.',
    ],
  );
};

const entryRequest = ({ saleId }: BenchSale, cookie: string, body = ''): string =>
  `POST /api/sales/${saleId}/entry HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/json\r\nCookie: ${cookie}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
