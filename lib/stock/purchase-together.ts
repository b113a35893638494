import 'server-only';
import { LRUCache } from 'lru-cache';
import { env } from '@/lib/env';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { confirmed, stampFor } from '@/lib/redis/replicas-ack';
import { writeTogether } from '@/lib/redis/write-together';
import { checkNewServer } from './new-server';
import { runStockScriptAtOnce } from './run-stock-script';

const SCRIPT = 'purchase-3-n';
/**
 * The most purchases in one call. More would save Redis little; with fewer, Redis works while we still read the next
 * ones.
 */
const MAX_TOGETHER = 16;
const MAX_SALES = 10_000;
/** The replies that promise units: an earlier answer that was lost may not have been confirmed. */
const BOUGHT = /^(?:accepted|replayed) /;
/** How many keys come before those of addresses. */
const LIMITED_KEYS = 6;

type Arguments = readonly [gate: string, userId: string, jti: string, orderNo: string, quantity: number];
type Waiting = { resolve: (words: string[]) => void; reject: (error: unknown) => void };
type Call = {
  saleId: string;
  /** The keys of addresses, which come after those that every call has. */
  addresses: string[];
  args: (string | number)[];
  waiting: Waiting[];
};

const calls = new Map<string, Call>();
/** The sales that have limits, ask for reservations or share a limit, as the script said: their calls need more keys. */
const limited = new LRUCache<string, true>({ max: MAX_SALES });

/**
 * Runs the purchase script for one purchase, in one call with the others of the same sale that arrive in the same
 * turn of the event loop: no purchase waits for another. Alone a purchase costs Redis 13 µs, in a call of sixteen 5
 * µs, because Redis reads and writes the sale once for all of them. Calls of several sales leave in one piece.
 *
 * @param addressCount key that counts this address's attempts, null if the sale does not limit addresses; many
 *   shoppers behind one address share the key
 * @returns the reply's words, the status first. @throws as `runStockScript`; an error hits every purchase of the
 *   call.
 */
export function purchaseTogether(
  saleId: string,
  epoch: number,
  args: Arguments,
  addressCount: string | null,
): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const name = `${saleId} ${epoch}`;
    let call = calls.get(name);
    if (!call) {
      call = { saleId, addresses: [], args: [epoch], waiting: [] };
      calls.set(name, call);
      if (calls.size === 1) setImmediate(sendAll);
    }
    const address = addressCount === null ? 0 : placeOf(addressCount, call.addresses);
    // The gate comes from the address as a stranger wrote it. The script splits at spaces.
    const [gate, ...ours] = args;
    call.args.push([encodeURIComponent(gate), ...ours, address].join(' '));
    call.waiting.push({ resolve, reject });
    if (call.waiting.length < MAX_TOGETHER) return;
    calls.delete(name);
    void send(call);
  });
}

/** Returns the number by which the script finds the key of an address; adds a new key. */
function placeOf(key: string, addresses: string[]): number {
  const at = addresses.indexOf(key);
  return LIMITED_KEYS + (at < 0 ? addresses.push(key) : at + 1);
}

/** Returns the keys that every call of `purchase-3-n.lua` has, in its order. */
export const purchaseKeys = (saleId: string): string[] => [
  keys.sale(saleId),
  keys.buyers(saleId),
  keys.outbox(saleId),
];

/** Returns those of a call in a sale that has limits, asks for reservations or shares a campaign's limit. */
const limitedKeys = (saleId: string, addresses: readonly string[]): string[] => [
  ...purchaseKeys(saleId),
  keys.limits(saleId),
  keys.reserved(saleId),
  keys.allowances(saleId),
  ...addresses,
];

function sendAll(): void {
  const waiting = [...calls.values()];
  calls.clear();
  writeTogether(stockRedis(), () => {
    for (const call of waiting) void send(call);
  });
}

async function send(call: Call): Promise<void> {
  const { waiting, saleId } = call;
  try {
    // Without replicas nothing is awaited before the call leaves, in one piece with those of other sales.
    const stamp =
      env().stockReplicasAck > 0 ? await stampFor(keys.sale(saleId), keys.replicasMark(saleId)) : null;
    const lines = (await run(call)).split('\n');
    if (lines.length !== waiting.length)
      throw new Error(`${SCRIPT} gave ${lines.length} replies to ${waiting.length}`);
    const isBought = stamp && lines.some((line) => BOUGHT.test(line));
    for (const [at, { resolve }] of waiting.entries())
      if (!isBought || !BOUGHT.test(lines[at] as string)) resolve((lines[at] as string).split(' '));
    if (!isBought) return;
    await confirmed(stamp);
    for (const [at, { resolve }] of waiting.entries()) resolve((lines[at] as string).split(' '));
  } catch (error) {
    for (const { reject } of waiting) reject(error);
  }
}

/** Runs the script. It says itself, before it does anything, where a sale needs more keys than the call has. */
async function run({ saleId, addresses, args }: Call): Promise<string> {
  const runWith = (keys: string[]) => runStockScriptAtOnce(SCRIPT, keys, args, () => checkNewServer(saleId));
  if (addresses.length > 0 || limited.has(saleId)) return runWith(limitedKeys(saleId, addresses));
  try {
    return await runWith(purchaseKeys(saleId));
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('KEYSMISSING'))) throw error;
    limited.set(saleId, true);
    return runWith(limitedKeys(saleId, addresses));
  }
}
