import 'server-only';
import type { OrderStatus } from '@/lib/contract/words/order';
import { db } from '@/lib/db/client';
import { orderKey } from '@/lib/ids/order-key';
import type { StockOrder } from './types';

export type OrderToRetake = StockOrder & {
  status: OrderStatus;
  endReason: string | null;
  units: number;
  /** The number of its variant; 0: the sale has none. */
  variant: number;
  jti: string;
};

/** Reads the facts of an order that are needed to take its units again. @throws if there is none. */
export async function readForRetake(orderNo: string): Promise<OrderToRetake> {
  const row = await db().order.findUniqueOrThrow({
    where: { shard_id: orderKey(orderNo) },
    select: {
      saleId: true,
      userId: true,
      status: true,
      endReason: true,
      quantity: true,
      variant: true,
      jti: true,
    },
  });
  const { quantity: units, status, ...rest } = row;
  return { orderNo, ...rest, units, status: status as OrderStatus };
}
