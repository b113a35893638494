import { SHARD_COUNT } from './shard-of';

/** Returns the primary key of an order: the lowest ten bits of its number are the shard that picks the partition. */
export function orderKey(orderNo: string | bigint): { shard: number; id: bigint } {
  const id = BigInt(orderNo);
  return { shard: Number(id & BigInt(SHARD_COUNT - 1)), id };
}
