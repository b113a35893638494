import { join } from 'node:path';
import { watchOthers } from './others-share.mjs';
import { failedFiles } from './runner-reports.mjs';
import { MOST_FLAKY } from './tally.mjs';
import { readJson } from './write-atomically.mjs';

/**
 * Runs some of vitest's projects. If at most `MOST_FLAKY` files failed, runs these once more, one after the other.
 * @param {{ root: string, bin: (...path: string[]) => string, temp: string, name: string, projects: string[], files?:
 *   string[], env?: Record<string, string>, runner: { node: (args: string[], env?: Record<string, string>) =>
 *   Promise<boolean> }, isRelated?: boolean, tally: ReturnType<import('./tally.mjs').createTally>, show: { line: (text:
 *   string) => void } }} options `name`: of its report; `isRelated`: `files` are sources, and all their tests run
 */
export async function runVitest({
  root,
  bin,
  temp,
  name,
  projects,
  files = [],
  isRelated = false,
  env = {},
  runner,
  tally,
  show,
}) {
  const run = async (reportName, command, args) => {
    const report = join(temp, `${reportName}.json`);
    const unhandled = join(temp, `${reportName}.unhandled.json`);
    const othersShare = watchOthers();
    const isOk = await runner.node(
      [
        bin('vitest', 'vitest.mjs'),
        ...command,
        ...projects.map((project) => `--project=${project}`),
        '--reporter=default',
        '--reporter=json',
        `--reporter=${join(root, 'test/support/unhandled-errors.mjs')}`,
        `--outputFile.json=${report}`,
        ...args,
      ],
      { ...env, UNHANDLED_ERRORS: unhandled },
    );
    return { report, isOk, unhandled: readJson(unhandled) ?? [], othersShare: othersShare() };
  };
  const first = await run(name, isRelated ? ['related', '--run', '--passWithNoTests'] : ['run'], files);
  const failed = failedFiles(first.report);
  const isWorthAnother = failed.length > 0 && failed.length <= MOST_FLAKY && first.unhandled.length === 0;
  if (!isWorthAnother) return tally.vitest(first);
  show.line(`\nOnce more, alone: ${failed.join(', ')}`);
  tally.vitest(first, await run(`${name}-again`, ['run'], ['--no-file-parallelism', ...failed]));
}
