import { lineUp } from '@/tools/harness/line-up';
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
  const isRight = (column: number) => column > 0 && column < HEADINGS.length - 1;
  return lineUp([HEADINGS, ...standings.map(cells)], { isRight, rule: '─' });
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
