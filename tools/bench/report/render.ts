import { lineUp } from '@/tools/harness/line-up';
import type { Environment, FigureReport, Row, Verdict } from './types';

const VERDICTS: Record<Verdict, string> = {
  met: 'met',
  missed: '**missed**',
  'not measured': 'not measured',
  info: '–',
};
/** If the load average before the start is above this share of the cores, other work is running on the machine. */
const BUSY_SHARE = 0.25;
const HEADINGS = ['figure', 'measured', 'result', 'target', 'verdict'];

const cells = (row: Row): string[] => [
  row.figure,
  row.measured,
  row.result,
  row.target,
  VERDICTS[row.verdict],
];
const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const line = (texts: readonly string[]): string => `| ${texts.map(escapeCell).join(' | ')} |`;

/** Renders the page docs/BENCHMARKS.md. Names missed targets at its top instead of hiding them in the table. */
export function renderMarkdown(environment: Environment, reports: readonly FigureReport[]): string {
  const rows = reports.flatMap((report) => report.rows);
  const { date, cpu, cores, memoryGiB, system, loadBefore, mode, seconds, rounds, roundSeconds } =
    environment;
  const isBusy = loadBefore > cores * BUSY_SHARE;
  const versions = Object.entries(environment.versions).map(([name, version]) => `${name} ${version}`);
  return `${[
    '# Benchmarks',
    '',
    `Written by \`npm run bench${mode === 'quick' ? ' -- --quick' : ''}\`; do not edit. ${sumUp(rows)}`,
    '',
    `- ${date}, ${mode} run of ${seconds} s, ${rounds} rounds of ${roundSeconds} s`,
    `- ${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}; load average before the run ${loadBefore.toFixed(1)}`,
    `- ${versions.join(', ')}`,
    '',
    line(HEADINGS),
    line(HEADINGS.map(() => '---')),
    ...rows.map((row) => line(cells(row))),
    '',
    '## How it was measured',
    '',
    '- Contestants of one figure take turns in one run; each number is the median of its rounds. Compare the ratios with',
    '  other machines, not the absolute numbers: server, Redis and load generator share the cores above.',
    '- Every purchase is made by its own user with its own entry token. Redis syncs its file before it answers',
    '  (`appendfsync always`) unless a line says otherwise. Nothing is pinned to a core.',
    '- Throughput is a closed loop over keep-alive connections without pipelining. Latencies are an open loop and count',
    '  from the moment a request was meant to be sent. A note says when the generator was the limit.',
    '- `--json FILE` keeps the numbers of a run, `--compare FILE` says what has changed since and what is only noise,',
    '  `--profile DIR` keeps a profile of each process for each figure, which Chrome shows as a flame graph (and makes all of it slower).',
    ...(isBusy
      ? ['- **The machine was busy with other things during this run: the numbers are rough.**']
      : []),
    '',
    '## Notes',
    '',
    ...reports.flatMap(({ name, notes }) => notes.map((note) => `- **${name}**: ${note}`)),
    '',
  ].join('\n')}`;
}

function sumUp(rows: readonly Row[]): string {
  const of = (verdict: Verdict) => rows.filter((row) => row.verdict === verdict);
  const judged = of('met').length + of('missed').length;
  const sentences = [`${of('met').length} of ${judged} targets are met.`];
  const missed = of('missed').map((row) => `${row.figure} (${row.result}, target ${row.target})`);
  if (missed.length > 0) sentences.push(`Missed: ${missed.join('; ')}.`);
  const open = of('not measured').map((row) => row.figure);
  if (open.length > 0) sentences.push(`Not measured: ${open.join('; ')}.`);
  return sentences.join(' ');
}

/** Renders the same table for a terminal. */
export function renderTable(reports: readonly FigureReport[]): string {
  const rows = reports.flatMap((report) =>
    report.rows.map((row) => [...cells(row).slice(0, 4), row.verdict]),
  );
  return lineUp([HEADINGS, ...rows]);
}
