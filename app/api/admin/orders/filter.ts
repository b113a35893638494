import { z } from 'zod';
import { WRITTEN_STATUSES } from '@/lib/desk/orders/order-filter';

const MAX_TIME_MS = 4_102_444_800_000;

const time = z.coerce.number().int().min(0).max(MAX_TIME_MS);

export const orderFilterSchema = z.object({
  saleId: z.string().max(100).optional(),
  status: z.enum(WRITTEN_STATUSES).optional(),
  user: z.string().max(254).optional(),
  orderNo: z.string().max(40).optional(),
  from: time.optional(),
  to: time.optional(),
});

/** Reads `?saleId=&status=&user=&orderNo=&from=&to=`; what is empty is not asked for. */
export function parseOrderFilter(url: string) {
  const { searchParams } = new URL(url);
  const given = Object.keys(orderFilterSchema.shape).map((name) => [
    name,
    searchParams.get(name)?.trim() || undefined,
  ]);
  return orderFilterSchema.safeParse(Object.fromEntries(given));
}
