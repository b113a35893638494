/**
 * Matches cells that a spreadsheet would take for a formula, also with the wide signs of Chinese and Japanese
 * keyboards (OWASP: CSV injection).
 */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;
/** Matches digits that a spreadsheet would round or shorten: it keeps 15, and no zero in front. */
const LOSSY_DIGITS = /^(?:\d{16,}|0\d+)$/;
const NEEDS_QUOTES = /[",;\r\n]/;
/** Matches cells as they stand in a file, by its separator. */
const CELLS = {
  ',': /"((?:[^"]|"")*)"(?=,|\r|\n|$)|([^",\r\n]*)(?=,|\r|\n|$)/y,
  ';': /"((?:[^"]|"")*)"(?=;|\r|\n|$)|([^";\r\n]*)(?=;|\r|\n|$)/y,
} as const;

/**
 * Makes a line of CSV (RFC 4180). A cell that a spreadsheet would compute gets an apostrophe in front; long numbers
 * are written as `="…"`, which spreadsheets show as text.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => inQuotes(safe(cell))).join(',')}\r\n`;
}

const inQuotes = (cell: string) => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

function safe(cell: string): string {
  if (LOSSY_DIGITS.test(cell)) return `="${cell}"`;
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

type CsvRow = {
  /** The line in which the row begins, from 1. */
  line: number;
  cells: string[];
};

/** The rows of a file, or the line in which a quote is never closed or stands in a wrong place. */
export type ParsedCsv = { status: 'parsed'; rows: CsvRow[] } | { status: 'malformed'; line: number };

/**
 * Reads CSV (RFC 4180) with any kind of line break, also with the semicolons that Excel writes where the comma
 * separates decimals. Skips a byte order mark and empty lines; undoes what `csvLine` does to cells.
 */
export function parseCsv(text: string): ParsedCsv {
  const rows: CsvRow[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  const separator = separatorOf(text);
  const cellPattern = CELLS[separator];
  let line = 1;
  let row: CsvRow = { line, cells: [] };
  for (;;) {
    cellPattern.lastIndex = at;
    const match = cellPattern.exec(text);
    if (!match) return { status: 'malformed', line };
    const [whole, quoted, plain = ''] = match;
    row.cells.push(asWritten(quoted === undefined ? plain : quoted.replaceAll('""', '"')));
    line += whole.match(/\r\n|\r|\n/g)?.length ?? 0;
    at += whole.length;
    if (text[at] === separator) {
      at += 1;
      continue;
    }
    if (row.cells.length > 1 || row.cells[0] !== '') rows.push(row);
    if (at >= text.length) return { status: 'parsed', rows };
    at += text.startsWith('\r\n', at) ? 2 : 1;
    line += 1;
    row = { line, cells: [] };
  }
}

/** Returns the first separator outside quotes. */
function separatorOf(text: string): keyof typeof CELLS {
  let isQuoted = false;
  for (const char of text) {
    if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === ',' || char === ';')) return char;
  }
  return ',';
}

/** Undoes `safe`. */
function asWritten(cell: string): string {
  if (cell.startsWith("'") && FORMULA.test(cell.slice(1))) return cell.slice(1);
  const digits = /^="(\d+)"$/.exec(cell)?.[1];
  return digits !== undefined && LOSSY_DIGITS.test(digits) ? digits : cell;
}

const INSTANT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Reads a moment in a cell: a day, or a time with its zone, by ISO 8601. @returns epoch ms; NaN: it is none */
export const parseInstant = (cell: string): number => (INSTANT.test(cell) ? Date.parse(cell) : Number.NaN);

/** Returns a function that finds a cell by the name of its column, in small or large letters, without spaces around it; '' where there is none. */
export function cellsBy<Name extends string>(head: readonly string[]) {
  const names = head.map((cell) => cell.trim().toLowerCase());
  const cellOf = (cells: readonly string[], name: Name): string =>
    cells[names.indexOf(name.toLowerCase())]?.trim() ?? '';
  return { names, cellOf };
}
