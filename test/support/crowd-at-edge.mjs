import { setTimeout as sleep } from 'node:timers/promises';
import { openClient } from '../../deploy/nginx/testing/open-client';

/** Connections that are kept; each is closed after as many requests, long before nginx would close it. */
const KEPT = 8;
const REQUESTS_EACH = 200;
/** Every so many purchases one comes over a connection of its own. */
const FRESH_EVERY = 10;
const ANSWER_WITHIN_MS = 20_000;
const STARVED_MS = 1_900;

/** Every shopper has an address, as the proxy before nginx reports it. */
const addressOf = (n) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

/**
 * Buys through nginx at a steady rate, however fast answers come: each time with another token, from another address, and
 * nothing is tried again. When there are no more tokens, it asks again with the first ones, which get the same answers.
 * @param {import('../../deploy/nginx/testing/start-edge').Edge} edge
 * @param {{ path: string, tokens: string[], perSecond: number }} crowd `path`: of the purchase
 * @returns {{ stop: () => Promise<Attempt[]> }} `stop` waits for the last answers
 * @typedef {{ at: number, ms: number, status: number, orderNo?: string, problem?: string }} Attempt `at`: when the
 *   shopper pressed, monotonic ms; `ms`: until the answer; `status` 0: there was none, see `problem`
 */
export function startBuying(edge, { path, tokens, perSecond }) {
  const open = () => openClient(edge, { seenByProxy: '10.255.255.255' });
  /** @type {{ client: ReturnType<typeof open>, left: number, busy: number }[]} */
  const kept = [];
  const used = [];
  const slot = (n) => {
    const at = n % KEPT;
    if (!kept[at] || kept[at].left === 0) {
      if (kept[at]) used.push(kept[at]);
      kept[at] = { client: open(), left: REQUESTS_EACH, busy: 0 };
    }
    kept[at].left -= 1;
    return kept[at];
  };
  const closeUsed = async (all) => {
    for (const one of used.splice(0)) {
      if (one.busy > 0 && !all) used.push(one);
      else (await one.client.catch(() => null))?.close();
    }
  };

  async function ask(n, token, at) {
    const isFresh = n % FRESH_EVERY === 0;
    const connection = isFresh ? { client: open(), busy: 0 } : slot(n);
    connection.busy += 1;
    const headers = { 'x-entry-token': token, 'x-forwarded-for': addressOf(n) };
    const asked = connection.client.then((client) => client.ask(path, { method: 'POST', headers }));
    const tooLate = sleep(ANSWER_WITHIN_MS, undefined, { ref: false }).then(() => {
      throw new Error(`no answer within ${ANSWER_WITHIN_MS} ms`);
    });
    try {
      const { status, body } = await Promise.race([asked, tooLate]);
      const { orderNo, code } = JSON.parse(body);
      return { at, ms: performance.now() - at, status, orderNo, problem: code };
    } catch (error) {
      return { at, ms: performance.now() - at, status: 0, problem: String(error) };
    } finally {
      connection.busy -= 1;
      if (isFresh) (await connection.client.catch(() => null))?.close();
    }
  }

  const from = performance.now();
  const attempts = [];
  const press = () => {
    const due = Math.floor(((performance.now() - from) * perSecond) / 1_000);
    for (let n = attempts.length; n < due; n += 1)
      attempts.push(ask(n, tokens[n % tokens.length], from + (n * 1_000) / perSecond));
    void closeUsed(false);
  };
  const timer = setInterval(press, 5);
  return {
    async stop() {
      clearInterval(timer);
      const answers = await Promise.all(attempts);
      used.push(...kept.splice(0));
      await closeUsed(true);
      return answers;
    },
  };
}

/**
 * Follows a sale through nginx as a page does: comes back as soon as its stream says, each time that it ends.
 * @param {import('../../deploy/nginx/testing/start-edge').Edge} edge @param {string} path of the stream
 * @param {string} address of the reader
 */
export function followSale(edge, path, address) {
  const told = { opened: 0, refused: 0, lastEventAt: 0 };
  let isOver = false;
  /** @type {Awaited<ReturnType<typeof openClient>> | undefined} */
  let client;
  const follow = async () => {
    for (let retryMs = 3_000; !isOver; await sleep(retryMs)) {
      client = await openClient(edge, { seenByProxy: address });
      if (isOver) break;
      const from = performance.now();
      const stream = client.open(path);
      stream.setEncoding('utf8').on('error', () => {});
      stream.on('response', ({ ':status': status }) => {
        if (status === 200) told.opened += 1;
        // After so long nobody says no but a store that had no processor: the reader comes again.
        else if (status !== 503 || performance.now() - from < STARVED_MS) told.refused += 1;
      });
      stream.on('data', (text) => {
        if (text.includes('data: {')) told.lastEventAt = performance.now();
        retryMs = Number(/^retry: (\d+)$/m.exec(text)?.[1] ?? retryMs);
      });
      await new Promise((resolve) => stream.once('close', resolve));
      client.close();
    }
  };
  const following = follow();
  return {
    told,
    async stop() {
      isOver = true;
      client?.close();
      await following;
      client?.close();
    },
  };
}
