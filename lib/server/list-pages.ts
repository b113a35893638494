import 'server-only';
import { answerSales } from '@/lib/checkout/sales/answer-sales';
import { log } from '@/lib/http/log';
import type { Reply } from '@/lib/http/reply';
import { createBodyEncoder } from './encode-body';
import { chooseVariant, type KeptPage, toKeptPage } from './kept-page';
import type { WirePage } from './wire';

/** So many pages wait for a thread to compress them; more are sent as they are. */
const MAX_WAITING = 4;
/** Half the size of the best, in a fifth of its time: a page is new several times a second while sales run. */
const BROTLI_QUALITY = 5;
/** The first page, of any length, as `deploy/nginx/cache.conf` keeps it. Cursors are endless: who makes them up gets no work done. */
const IS_FIRST_PAGE = /^(?:limit=[0-9]{1,3})?$/;

type ListPages = {
  /** A page of the list of sales; the first one compressed, or that it is still the same. */
  find: (
    query: string,
    acceptEncoding: string | undefined,
    ifNoneMatch: string | undefined,
  ) => Reply | WirePage | Promise<Reply | WirePage>;
};

/**
 * The list of sales as it is sent: its first page is compressed once for each length, in another thread, for everybody who
 * asks until it changes. Whoever asks meanwhile waits these milliseconds, too. Further pages are sent as they are.
 * @param common name, value … of every answer of ours.
 */
export function createListPages(common: readonly string[]): ListPages {
  const encode = createBodyEncoder(BROTLI_QUALITY);
  const made = new WeakMap<Reply, KeptPage>();
  const making = new WeakMap<Reply, Promise<KeptPage | null>>();
  let waiting = 0;

  /** @returns null if it could not be made. */
  const make = async (reply: Reply): Promise<KeptPage | null> => {
    waiting += 1;
    try {
      const encoded = await encode(Buffer.from(reply.body), 'application/json');
      const page = toKeptPage(encoded, [...common, ...Object.entries(reply.headers).flat()]);
      made.set(reply, page);
      return page;
    } catch (err) {
      log.error({ err }, 'a page of the list of sales could not be compressed');
      return null;
    } finally {
      waiting -= 1;
    }
  };

  const choose = (reply: Reply, acceptEncoding: string | undefined, ifNoneMatch: string | undefined) => {
    if (reply.status !== 200) return reply;
    const page = made.get(reply);
    if (page) return chooseVariant(page, acceptEncoding, ifNoneMatch);
    let underWay = making.get(reply);
    if (!underWay) {
      if (waiting >= MAX_WAITING) return reply;
      underWay = make(reply);
      making.set(reply, underWay);
    }
    return underWay.then((one) => (one ? chooseVariant(one, acceptEncoding, ifNoneMatch) : reply));
  };

  return {
    find(query, acceptEncoding, ifNoneMatch) {
      const reply = answerSales(query);
      if (!IS_FIRST_PAGE.test(query)) return reply;
      if (reply instanceof Promise) return reply.then((one) => choose(one, acceptEncoding, ifNoneMatch));
      return choose(reply, acceptEncoding, ifNoneMatch);
    },
  };
}
