import type { Standing } from './contest';
import { count, milliseconds } from './verdict';

const HEADINGS = [
  'Strategy',
  'buyers/s',
  'p50 ms',
  'p99 ms',
  'accepted',
  'turned away',
  'oversold',
  'unsold',
  'drift',
  'lowest stock',
  'rounds',
  '',
];

/** Formats the standings as an aligned table that needs no colour. */
export function formatTable(standings: readonly Standing[]): string {
  const rows = [HEADINGS, ...standings.map(cells)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    row
      .map((cell, i) =>
        i === 0 || i === row.length - 1 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const [headings = '', ...body] = rows.map(line);
  return [headings, '─'.repeat(Math.max(...rows.map((row) => line(row).length))), ...body].join('\n');
}

function cells(standing: Standing): string[] {
  const { isCorrect, isAsLabelled, flaw } = standing;
  const label = isCorrect ? 'correct' : flaw;
  return [
    standing.title,
    count(standing.throughput),
    milliseconds(standing.p50Ms),
    milliseconds(standing.p99Ms),
    count(standing.accepted),
    count(standing.busy),
    count(standing.oversold),
    count(standing.unsold),
    count(standing.drift),
    count(standing.lowestStock),
    String(standing.rounds),
    `${isCorrect ? '✓' : '✗'} ${label}${isAsLabelled ? '' : ' — NOT AS LABELLED'}`,
  ];
}
