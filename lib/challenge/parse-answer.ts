import type { z } from 'zod';

/** What an answer says, or null if it isn't what such an answer looks like. */
export function parseAnswer<T extends z.ZodType>(answer: string, schema: T): z.output<T> | null {
  try {
    return schema.safeParse(JSON.parse(answer)).data ?? null;
  } catch {
    return null;
  }
}
