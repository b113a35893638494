/**
 * Orders tables so that each comes after those it refers to. Pure.
 * @param references [table, the table it refers to]; a table may refer to itself.
 * @throws Error on a circle: such tables could not be filled one after the other.
 */
export function orderByReferences(
  tables: readonly string[],
  references: readonly [string, string][],
): string[] {
  const needs = new Map(tables.map((table) => [table, new Set<string>()]));
  for (const [from, to] of references) if (from !== to && needs.has(to)) needs.get(from)?.add(to);
  const ordered = new Set<string>();
  while (ordered.size < needs.size) {
    const next = [...needs].filter(
      ([table, needed]) => !ordered.has(table) && [...needed].every((other) => ordered.has(other)),
    );
    if (next.length === 0)
      throw new Error(
        `tables refer to each other in a circle: ${[...needs.keys()].filter((table) => !ordered.has(table)).join(', ')}`,
      );
    for (const [table] of next) ordered.add(table);
  }
  return [...ordered];
}
