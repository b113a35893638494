import { z } from 'zod';
import { BLOCK_KINDS } from '@/lib/block/types';

export const blockFilterSchema = z.object({
  state: z.enum(['live', 'all']).default('live'),
  kind: z.enum(BLOCK_KINDS).optional(),
  value: z.string().trim().max(254).optional(),
});

/** Reads `?state=&kind=&value=`; what is empty is not asked for. */
export function parseBlockFilter(url: string) {
  const { searchParams } = new URL(url);
  const given = ['state', 'kind', 'value'].map((name) => [name, searchParams.get(name) || undefined]);
  return blockFilterSchema.safeParse(Object.fromEntries(given));
}
