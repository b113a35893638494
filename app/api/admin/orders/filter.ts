import { z } from 'zod';
import { WRITTEN_STATUSES } from '@/lib/desk/orders/order-filter';

const MAX_TIME_MS = 4_102_444_800_000;

const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\0'), 'holds a zero byte');
const time = z.coerce.number().int().min(0).max(MAX_TIME_MS);

export const orderFilterSchema = z.object({
  saleId: text(100).optional(),
  status: z.enum(WRITTEN_STATUSES).optional(),
  user: text(254).optional(),
  orderNo: text(40).optional(),
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
