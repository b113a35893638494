import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runNpm } from './run-npm.mjs';

const USERS = 450;
const EVERY_MS = 150;
const PATIENCE_MS = 5_000;

/**
 * Starts shoppers who each buy one unit from the demo's live sale, one after the other. Who gets no order comes again after
 * all the others, so that somebody is still shopping however long the product is away.
 * @param {{ url: string, dataDir: string }} product
 * @returns {Promise<{ accepted: Map<string, string>, saleId: string, stop: () => Promise<void>, findAll: () =>
 *   Promise<string[]> }>} `accepted`: order number → entry token of every shopper who got a 202; `findAll`: the
 *   numbers of the orders that can't be found.
 */
export async function startShoppers({ url, dataDir }) {
  const { sales } = await ask(`${url}/api/sales`);
  const { saleId } = sales.find((sale) => sale.status === 'live' && sale.stock.available >= USERS);
  const file = join(dataDir, `tokens-${Date.now()}.jsonl`);
  const made = await runNpm('loadtest:tokens', ['--sale', saleId, '--users', String(USERS), '--out', file], {
    SECKILL_DATA_DIR: dataDir,
  });
  if (made.code !== 0) throw new Error(made.stderr);
  const tokens = readFileSync(file, 'utf8').trim().split('\n');
  const { gate } = await ask(`${url}/api/sales/${saleId}/state`);
  const accepted = new Map();
  let isStopping = false;

  async function buy(token) {
    const response = await fetch(`${url}/api/sales/${saleId}/purchase/${gate}`, {
      method: 'POST',
      headers: { 'x-entry-token': token },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const body = await response.json();
    if (response.status !== 202) return false;
    accepted.set(body.orderNo, token);
    return true;
  }
  const shopping = (async () => {
    const waiting = tokens.map((line) => JSON.parse(line).entryToken);
    for (let token = waiting.shift(); token !== undefined && !isStopping; token = waiting.shift()) {
      // The purchase was refused, cut off or postponed: the next shopper tries.
      const hasBought = await buy(token).catch(() => false);
      if (!hasBought) waiting.push(token);
      await sleep(EVERY_MS);
    }
  })();
  return {
    accepted,
    saleId,
    async stop() {
      isStopping = true;
      await shopping;
    },
    async findAll() {
      const missing = [];
      for (const [orderNo, token] of accepted) {
        const headers = { 'x-entry-token': token };
        const look = async () => (await fetch(`${url}/api/orders/${orderNo}`, { headers })).status;
        let status = await look();
        for (let tries = 1; status === 503 && tries < 60; tries += 1) {
          await sleep(1_000);
          status = await look();
        }
        if (status !== 200) missing.push(`${orderNo}: ${status}`);
      }
      return missing;
    },
  };
}

const ask = async (url) => (await fetch(url)).json();
