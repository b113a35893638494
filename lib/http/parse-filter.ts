import type { z } from 'zod';

/** Reads a filter out of `?name=value`; what is empty is not asked for. */
export function parseFilter<T extends z.ZodObject>(url: string, schema: T) {
  const { searchParams } = new URL(url);
  const given = Object.keys(schema.shape).map((name) => [name, searchParams.get(name) || undefined]);
  return schema.safeParse(Object.fromEntries(given));
}
