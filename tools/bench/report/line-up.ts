/** Lines up the cells of a table for a terminal. @param table rows of equal length, the headings first. */
export function lineUp(table: readonly (readonly string[])[]): string {
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  return table
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
