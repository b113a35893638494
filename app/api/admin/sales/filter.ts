import { z } from 'zod';
import { DESK_SALE_STATES, SALE_ORDERS } from '@/lib/desk/sale-filter';

const MAX_TIME_MS = 4_102_444_800_000;
const timeMs = z.coerce.number().int().min(0).max(MAX_TIME_MS).optional();

export const deskSaleFilterSchema = z.object({
  status: z.enum(DESK_SALE_STATES).optional(),
  q: z.string().trim().max(200).optional(),
  from: timeMs,
  to: timeMs,
  sort: z.enum(SALE_ORDERS).default('newest'),
});

/** Reads `?status=&q=&from=&to=&sort=`; what is empty is not asked for. */
export function parseSaleFilter(url: string) {
  const { searchParams } = new URL(url);
  const given = Object.keys(deskSaleFilterSchema.shape).map((name) => [
    name,
    searchParams.get(name) || undefined,
  ]);
  return deskSaleFilterSchema.safeParse(Object.fromEntries(given));
}
