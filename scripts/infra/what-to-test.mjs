import { Problem } from './problem.mjs';

/**
 * Returns what `npm test` should run.
 * @param {string[]} argv `--unit`: no browser and no product; `--e2e`: nothing else; anything else names test files
 * @returns {{ wants: { checks: boolean, code: boolean, e2e: boolean }, codeFiles: string[], e2eFiles: string[] }}
 * @throws {Problem} on two flags that exclude each other; `checkUsage` has already refused unknown flags, and values
 */
export function whatToTest(argv) {
  const isUnit = argv.includes('--unit');
  const isE2e = argv.includes('--e2e');
  if (isUnit && isE2e) throw new Problem('npm test takes one of --unit, --e2e; without either it runs both.');
  const files = argv.filter((argument) => !argument.startsWith('-'));
  const e2eFiles = files.filter((file) => /(^|\/)e2e\//.test(file));
  const codeFiles = files.filter((file) => !e2eFiles.includes(file));
  const isFiltered = files.length > 0;
  const wants = {
    checks: !isE2e && !isFiltered,
    code: !isE2e && (!isFiltered || codeFiles.length > 0),
    e2e: !isUnit && (!isFiltered || e2eFiles.length > 0),
  };
  return { wants, codeFiles, e2eFiles };
}
