import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

export type RedisAccount = {
  epoch: number;
  total: number;
  available: number;
  held: number;
  sold: number;
  /** How many purchases were ever accepted; null if Redis is too old to count them (before 7.0). */
  accepted: number | null;
  /** How many units were taken again since the sale was loaded, by late money for example, without a purchase. */
  retaken: number;
  /** Units left of each variant, in order; left out: it has none. */
  variants?: number[];
};

/**
 * Reads the sale's tiers in Redis together with the purchases accepted and the units retaken so far, as of one instant
 * (MULTI).
 * Reads the hash itself and not through the stock functions: those refuse impossible numbers, and this looks for
 * exactly such numbers. A value that is missing or not a number becomes NaN.
 * @returns null if Redis doesn't hold the sale.
 */
export async function readRedisAccount(saleId: string): Promise<RedisAccount | null> {
  const replies = await stockRedis()
    .multi()
    .hmget(keys.sale(saleId), 'epoch', 'total', 'available', 'held', 'sold', 'retaken', 'variants')
    // Fails inside the transaction while there is no stream yet; the other reply is valid all the same.
    .xinfo('STREAM', keys.outbox(saleId))
    .exec();
  const fields = replies?.[0]?.[1] as (string | null)[] | undefined;
  if (!fields || fields[0] === null) return null;
  const [epoch = NaN, total = NaN, available = NaN, held = NaN, sold = NaN] = fields.map(toNumber);
  const retaken = fields[5] == null ? 0 : toNumber(fields[5]);
  const account = { epoch, total, available, held, sold, accepted: readAccepted(replies?.[1]), retaken };
  return fields[6] ? { ...account, variants: fields[6].split(' ').map(toNumber) } : account;
}

function toNumber(field: string | null): number {
  return field !== null && /^-?\d+$/.test(field) ? Number(field) : NaN;
}

function readAccepted(reply: [Error | null, unknown] | undefined): number | null {
  if (!reply || reply[0]) return 0;
  const info = reply[1] as unknown[];
  const at = info.indexOf('entries-added');
  return at === -1 ? null : Number(info[at + 1]);
}
