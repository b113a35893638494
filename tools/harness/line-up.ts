type Layout = {
  /** Columns that are aligned on the right, as numbers are. */
  isRight?: (column: number) => boolean;
  /** Sign of the rule below the headings; none if left out. */
  rule?: string;
};

/** Lines up the cells of a table for a terminal. @param table rows of equal length, the headings first. */
export function lineUp(
  table: readonly (readonly string[])[],
  { isRight = () => false, rule = '' }: Layout = {},
): string {
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const pad = (text: string, column: number) =>
    isRight(column) ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0);
  const [headings = '', ...rows] = table.map((row) => row.map(pad).join('  ').trimEnd());
  const longest = Math.max(headings.length, ...rows.map(({ length }) => length));
  return [headings, ...(rule ? [rule.repeat(longest)] : []), ...rows].join('\n');
}
