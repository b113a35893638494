import { type Figure, measureRate } from '../bench-context';
import { contest } from '../contest';
import { signedInCookies } from '../stack/people';
import { WITHOUT_FAST_PATH } from '../stack/product';
import { openBenchSale } from '../stack/sales';

const TARGET = 10;
const PEOPLE = 2_000;

/** Measures what pages ask on a visit, most of it about a signed-in shopper's own things, against the route handlers in Next. */
export const measureSession: Figure = async (context) => {
  const { product, atEnd } = context;
  const { saleId } = await openBenchSale(100);
  /** By the name of the figure. */
  const questions = Object.entries({
    visit: '/api/visit',
    session: '/api/auth/session',
    'orders-read': '/api/orders',
    unread: '/api/notifications/unread',
    state: `/api/sales/${saleId}/state`,
  });
  const cookies = await signedInCookies(PEOPLE);
  const next = await product.startWeb('web-route', WITHOUT_FAST_PATH);
  atEnd(next.stop);
  const asking = (path: string, port?: number) => async () => {
    const requests = cookies.map(
      (cookie) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`,
    );
    return (await measureRate(context, { port, expected: 200, source: { kind: 'given', requests } }))
      .perSecond;
  };
  return contest(
    context,
    Object.fromEntries(
      questions.flatMap(([name, path]) => [
        [`${name} fast path`, asking(path)],
        [`${name} Next`, asking(path, next.port)],
      ]),
    ),
    questions.map(([name, path]) => ({
      figure: `${name}: \`GET ${path.replace(saleId, ':saleId')}\`, answers/s, fast path : Next`,
      ours: `${name} fast path`,
      theirs: `${name} Next`,
      target: { atLeast: TARGET },
    })),
  );
};
