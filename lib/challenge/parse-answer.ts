import type { z } from 'zod';

/** Parses an answer; null if it doesn't have the expected form. */
export function parseAnswer<T extends z.ZodType>(answer: string, schema: T): z.output<T> | null {
  try {
    return schema.safeParse(JSON.parse(answer)).data ?? null;
  } catch {
    return null;
  }
}
