import 'server-only';
import { log } from '@/lib/http/log';
import type { Reply } from '@/lib/http/reply';
import { answerSales } from '@/lib/sale/answer-sales';
import { createBodyEncoder } from './encode-body';
import { chooseVariant, type KeptPage, toKeptPage } from './kept-page';
import type { WirePage } from './wire';

/** How many pages may wait for a thread to compress them; further ones are sent uncompressed. */
const MAX_WAITING = 4;
/** Half the size of the best, in a fifth of its time: a page is new several times a second while sales run. */
const BROTLI_QUALITY = 5;
/**
 * Matches the first page, of any length, like `deploy/nginx/cache.conf`. Cursors are endless: a client that invents
 * them must not cause compression work.
 */
const IS_FIRST_PAGE = /^(?:limit=[0-9]{1,3})?$/;

type ListPages = {
  /** Finds a page of the list of sales; the first page compressed, or the answer that it has not changed. */
  find: (
    query: string,
    acceptEncoding: string | undefined,
    ifNoneMatch: string | undefined,
  ) => Reply | WirePage | Promise<Reply | WirePage>;
};

/**
 * Keeps the list of sales as it is sent: compresses its first page once for each length, in another thread, for all
 * clients until it changes. Clients that ask meanwhile wait these milliseconds, too. Sends further pages
 * uncompressed.
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
