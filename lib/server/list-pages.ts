import 'server-only';
import { answerSales } from '@/lib/checkout/answer-sales';
import { log } from '@/lib/http/log';
import type { Reply } from '@/lib/http/reply';
import { createBodyEncoder, type EncodedBody, type Encoding } from './encode-body';
import { chooseVariant, type KeptPage } from './kept-page';
import type { WirePage } from './wire';

/** So many pages wait for a thread to compress them; more are sent as they are. */
const MAX_WAITING = 4;
/** Half the size of the best, in a fifth of its time: a page is new several times a second while sales run. */
const BROTLI_QUALITY = 5;
const NOTHING = Buffer.alloc(0);

export type ListPages = {
  /** A page of the list of sales, compressed if that has been done already; or that it is still the same. */
  find: (
    query: string,
    acceptEncoding: string | undefined,
    ifNoneMatch: string | undefined,
  ) => Reply | WirePage | Promise<Reply | WirePage>;
};

/**
 * The list of sales as it is sent: each page of it is compressed once, in another thread, for everybody who asks until it
 * changes. Whoever asks meanwhile waits these milliseconds, too.
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
      const page = toPage(encoded, [...common, ...Object.entries(reply.headers).flat()]);
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
      if (reply instanceof Promise) return reply.then((one) => choose(one, acceptEncoding, ifNoneMatch));
      return choose(reply, acceptEncoding, ifNoneMatch);
    },
  };
}

function toPage({ tag, encodings, bytes }: EncodedBody, headers: readonly string[]): KeptPage {
  const variants: KeptPage['variants'] = {};
  for (const [encoding, body] of Object.entries(encodings) as [Encoding, Buffer][]) {
    const isPlain = encoding === 'identity';
    const etag = isPlain ? `"${tag}"` : `"${tag}-${encoding}"`;
    const own = ['etag', etag, 'content-length', String(body.length)];
    variants[encoding] = {
      status: 200,
      headers: [...headers, ...own, ...(isPlain ? [] : ['content-encoding', encoding])],
      body,
    };
  }
  const notModified = { status: 304, headers: [...headers, 'etag', `"${tag}"`], body: NOTHING };
  return { tag, notModified, variants, bytes };
}
