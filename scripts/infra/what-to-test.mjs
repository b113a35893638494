import { Problem } from './problem.mjs';

/** Vitest's projects that say the same on any machine. */
const GATE = ['unit', 'replacing', 'integration', 'replacing-with-servers'];
/** Vitest's project of tests with bounds on time. */
const TIMED = 'timed';
/** Vitest's projects that run the product's commands from outside. */
export const SYSTEM = ['system', 'image'];

/**
 * Returns what `npm test` should run.
 * @param {string[]} argv `--all`: also the tests that need time or a quiet machine; `--unit`: no browser and no product;
 *   `--e2e`: nothing else; anything else names test files
 * @returns {{ wants: { checks: boolean, code: boolean, e2e: boolean, all: boolean, system: boolean }, projects: string[],
 *   codeFiles: string[], e2eFiles: string[] }} `projects`: of vitest, for `code`
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
  const all = argv.includes('--all');
  const wants = {
    checks: !isE2e && !isFiltered,
    code: !isE2e && (!isFiltered || codeFiles.length > 0),
    e2e: !isUnit && (!isFiltered || e2eFiles.length > 0),
    all,
    system: all && !isUnit && !isFiltered,
  };
  return { wants, projects: projectsFor(codeFiles, all), codeFiles, e2eFiles };
}

/** Returns the projects that the names of the files ask for. */
function projectsFor(files, all) {
  const isNamed = (part) => files.some((file) => file.includes(part));
  if (isNamed('.system.test.')) return SYSTEM;
  return all || isNamed('.timed.') ? [...GATE, TIMED] : GATE;
}
