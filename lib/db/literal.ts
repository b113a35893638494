/** Makes text mean its own letters in Prisma's `contains` and `startsWith`, which pass LIKE's wildcards on. */
export const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Returns the condition that a text at this place of a JSON column contains these letters, large or small. */
export const jsonContains = (path: string[], text: string) =>
  ({ path, string_contains: literal(text), mode: 'insensitive' }) as const;
