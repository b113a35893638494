/**
 * Matches cells that a spreadsheet would take for a formula, also with the wide signs of Chinese and Japanese
 * keyboards (OWASP: CSV injection).
 */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Makes a line of CSV (RFC 4180). A cell that a spreadsheet would compute gets an apostrophe in front. */
export function csvLine(cells: readonly string[]): string {
  const safe = cells.map((cell) => (FORMULA.test(cell) ? `'${cell}` : cell));
  return `${safe.map((cell) => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}

type CsvRow = {
  /** The line in which the row begins, from 1. */
  line: number;
  cells: string[];
};

/**
 * Reads CSV (RFC 4180) with any kind of line break; skips a byte order mark and empty lines; removes the apostrophes
 * of `csvLine`. Null if a quote is never closed or stands in a wrong place.
 */
export function parseCsv(text: string): CsvRow[] | null {
  const rows: CsvRow[] = [];
  const cellPattern = /"((?:[^"]|"")*)"(?=,|\r|\n|$)|([^",\r\n]*)(?=,|\r|\n|$)/y;
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 1;
  let row: CsvRow = { line, cells: [] };
  for (;;) {
    cellPattern.lastIndex = at;
    const match = cellPattern.exec(text);
    if (!match) return null;
    const [whole, quoted, plain = ''] = match;
    row.cells.push(withoutApostrophe(quoted === undefined ? plain : quoted.replaceAll('""', '"')));
    line += whole.match(/\r\n|\r|\n/g)?.length ?? 0;
    at += whole.length;
    if (text[at] === ',') {
      at += 1;
      continue;
    }
    if (row.cells.length > 1 || row.cells[0] !== '') rows.push(row);
    if (at >= text.length) return rows;
    at += text.startsWith('\r\n', at) ? 2 : 1;
    line += 1;
    row = { line, cells: [] };
  }
}

const withoutApostrophe = (cell: string) =>
  cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
