import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { SimulateArguments } from './arguments';
import { BUGS } from './bugs';
import { add, MAX_BROKEN, type SimulationReport } from './run-simulation';

/**
 * Divides the schedules among processes of their own and adds up their reports.
 * @param script the file that `npm run simulate` runs; with `--jobs 1` it sends its report to its parent
 * @throws Error if a process ends without a report
 */
export async function runJobs(
  script: string,
  { schedules, seed, bug, kind, jobs }: SimulateArguments,
): Promise<SimulationReport> {
  const startedAt = performance.now();
  const name = Object.keys(BUGS).find((known) => BUGS[known] === bug);
  const share = Math.ceil(schedules / jobs);
  const children: ChildProcess[] = [];
  try {
    const reports = await Promise.all(
      Array.from({ length: jobs }, (_, job) => {
        const from = job * share;
        const count = Math.min(share, schedules - from);
        if (count <= 0) return null;
        const range = ['--jobs', '1', '--schedules', String(count), '--seed', String(seed + from)];
        const only = kind === undefined ? [] : ['--kind', kind];
        const child = fork(
          script,
          name === undefined ? [...range, ...only] : [...range, ...only, '--bug', name],
        );
        children.push(child);
        return reportOf(child);
      }),
    );
    return sum(
      reports.filter((report) => report !== null),
      performance.now() - startedAt,
    );
  } finally {
    for (const child of children) child.kill();
  }
}

async function reportOf(child: ChildProcess): Promise<SimulationReport> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a process of the simulation ended with ${code} and no report`);
  });
  const [report] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => {});
  return report as SimulationReport;
}

function sum(reports: readonly SimulationReport[], tookMs: number): SimulationReport {
  const sums = { kinds: {}, injected: {}, answers: {}, orders: {} };
  for (const report of reports) {
    for (const kind of ['kinds', 'injected', 'answers', 'orders'] as const) add(sums[kind], report[kind]);
  }
  return {
    schedules: reports.reduce((total, report) => total + report.schedules, 0),
    tookMs,
    broken: reports.flatMap(({ broken }) => broken).slice(0, MAX_BROKEN),
    ...sums,
  };
}
