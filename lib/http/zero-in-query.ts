/** Returns the name of a query parameter that holds a zero byte, which no filter can look for in Postgres. */
export function zeroInQuery(url: string): string | undefined {
  if (!url.includes('%00')) return undefined;
  const hasZero = (pair: string[]) => pair.some((text) => text.includes('\0'));
  return [...new URL(url).searchParams].find(hasZero)?.[0];
}
