const SHARD_MASK = 1023n;

/** Returns the primary key of an order: the lowest ten bits of its number are the shard that picks the partition. */
export function orderKey(orderNo: string | bigint): { shard: number; id: bigint } {
  const id = BigInt(orderNo);
  return { shard: Number(id & SHARD_MASK), id };
}

/** Returns keys as two arrays in the same order, for `unnest`. */
export function orderKeys(orderNos: readonly string[]): { shards: number[]; ids: string[] } {
  return { shards: orderNos.map((orderNo) => orderKey(orderNo).shard), ids: [...orderNos] };
}
