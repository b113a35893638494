import 'server-only';
import { LRUCache } from 'lru-cache';
import { env } from '@/lib/env';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { confirmed, stampFor } from '@/lib/redis/replicas-ack';
import { writeTogether } from '@/lib/redis/write-together';
import { checkNewServer } from './new-server';
import { runStockScriptAtOnce } from './run-stock-script';

/**
 * The most purchases in one call. More would save Redis little; with fewer, Redis works while we still read the next
 * ones.
 */
const MAX_TOGETHER = 16;
const MAX_SALES = 10_000;
/** Replies that promise units. `replayed`, too: the first answer may have been lost before replicas had it. */
const BOUGHT = /^(?:accepted|replayed) /;
/** How many keys come before those of addresses and devices. */
const OWN_KEYS = { 'purchase-3-n': 6, 'enqueue-3-n': 6 } as const;

type Script = keyof typeof OWN_KEYS;
type Arguments = readonly [gate: string, userId: string, bought: string];
/** The keys that count a purchase's address and device; undefined: not counted. */
export type CountedBy = { address: string | undefined; device: string | undefined };
type Waiting = { resolve: (words: string[]) => void; reject: (error: unknown) => void };
type Call = {
  script: Script;
  stockId: string;
  /** The keys of addresses and devices, which come after those that every call has. */
  subjects: string[];
  args: (string | number)[];
  waiting: Waiting[];
};

const calls = new Map<string, Call>();
/** The sales that have limits, ask for reservations or share a limit, as the script said: their calls need more keys. */
const limited = new LRUCache<string, true>({ max: MAX_SALES });

/**
 * Runs the purchase script, or that of the queue, in one call with the sale's other purchases of the same turn of the
 * event loop. Alone a purchase costs Redis 13 µs, in a call of sixteen 5 µs, because Redis reads and writes the sale
 * once for all. Calls of several sales leave in one piece.
 *
 * @param counted many shoppers behind one address share its key
 * @param origin for the queue: `ip device`, what the risk rules know the shopper by
 * @returns the reply's words, the status first. @throws as `runStockScript`; an error hits every purchase of the
 *   call.
 */
export function purchaseTogether(
  script: Script,
  stockId: string,
  epoch: number,
  args: Arguments,
  { address, device }: CountedBy,
  origin?: string,
): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const isQueued = script === 'enqueue-3-n';
    const name = isQueued ? `${stockId} ${epoch} queue` : `${stockId} ${epoch}`;
    let call = calls.get(name);
    if (!call) {
      const first = isQueued ? `${epoch} ${env().backlogCap}` : epoch;
      call = { script, stockId, subjects: [], args: [first], waiting: [] };
      calls.set(name, call);
      if (calls.size === 1) setImmediate(sendAll);
    }
    // The gate comes from the address as a stranger wrote it. The script splits at spaces.
    const [gate, ...ours] = args;
    const words = [encodeURIComponent(gate), ...ours, placeOf(address, call)];
    if (isQueued) words.push(placeOf(device, call), origin ?? '- -');
    else if (device !== undefined) words.push(placeOf(device, call));
    call.args.push(words.join(' '));
    call.waiting.push({ resolve, reject });
    if (call.waiting.length < MAX_TOGETHER) return;
    calls.delete(name);
    void send(call);
  });
}

/** Returns the number by which the script finds the key of an address or device, 0 for none; adds a new key. */
function placeOf(key: string | undefined, { script, subjects }: Call): number {
  if (key === undefined) return 0;
  const at = subjects.indexOf(key);
  return OWN_KEYS[script] + (at < 0 ? subjects.push(key) : at + 1);
}

/** Returns the keys that every call of `purchase-3-n.lua` has, in its order. */
export const purchaseKeys = (stockId: string): string[] => [
  keys.sale(stockId),
  keys.buyers(stockId),
  keys.outbox(stockId),
];

/** Returns those of a call in a sale that has limits, asks for reservations or shares a campaign's limit. */
const limitedKeys = (stockId: string, subjects: readonly string[]): string[] => [
  ...purchaseKeys(stockId),
  keys.limits(stockId),
  keys.reserved(stockId),
  keys.allowances(stockId),
  ...subjects,
];

/** Returns those of a call of `enqueue-3-n.lua`. */
const enqueueKeys = (stockId: string, subjects: readonly string[]): string[] => [
  keys.sale(stockId),
  keys.buyers(stockId),
  keys.queue(stockId),
  keys.limits(stockId),
  keys.reserved(stockId),
  keys.asked(stockId),
  ...subjects,
];

function sendAll(): void {
  const waiting = [...calls.values()];
  calls.clear();
  writeTogether(stockRedis(), () => {
    for (const call of waiting) void send(call);
  });
}

async function send(call: Call): Promise<void> {
  const { waiting, stockId, script } = call;
  try {
    // Nothing is awaited if there are no replicas: the call leaves in one piece with those of other sales.
    const stamp =
      env().stockReplicasAck > 0 ? await stampFor(keys.sale(stockId), keys.replicasMark(stockId)) : null;
    const lines = (await run(call)).split('\n');
    if (lines.length !== waiting.length)
      throw new Error(`${script} gave ${lines.length} replies to ${waiting.length}`);
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
async function run({ script, stockId, subjects, args }: Call): Promise<string> {
  const runWith = (keys: string[]) => runStockScriptAtOnce(script, keys, args, () => checkNewServer(stockId));
  if (script === 'enqueue-3-n') return runWith(enqueueKeys(stockId, subjects));
  if (subjects.length > 0 || limited.has(stockId)) return runWith(limitedKeys(stockId, subjects));
  try {
    return await runWith(purchaseKeys(stockId));
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('KEYSMISSING'))) throw error;
    limited.set(stockId, true);
    return runWith(limitedKeys(stockId, subjects));
  }
}
