/** Escapes what LIKE takes for a pattern, since Prisma's `startsWith` and `contains` do not: `%` finds a `%`. */
export const literally = (text: string): string => text.replace(/[\\%_]/g, String.raw`\$&`);
