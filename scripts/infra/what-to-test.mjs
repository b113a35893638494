import { Problem } from './problem.mjs';

/** Vitest's projects that say the same on any machine. */
const GATE = ['unit', 'replacing', 'integration', 'replacing-with-servers'];
/** Vitest's projects of the second tier, by the part of a file's name that asks for each. */
const SECOND = { '.long.': 'long', '.timed.': 'timed' };
/** Vitest's projects that run the product's commands from outside. */
export const SYSTEM = ['system'];

/**
 * Returns what `npm test` should run.
 * @param {string[]} argv `--all`: also the tests that take long or need a quiet machine; `--unit`: no browser and no product;
 *   `--e2e`: nothing else; `--changed [REV]`: what the files changed since a commit can break, by default since the last
 *   one; anything else names test files
 * @param {(revision: string) => string[]} [changedSince] lists the changed files
 * @returns {{ wants: { checks: boolean, code: boolean, e2e: boolean, all: boolean, system: boolean }, projects: string[],
 *   codeFiles: string[], e2eFiles: string[], isRelated: boolean }} `projects`: of vitest, for `code`; `isRelated`:
 *   `codeFiles` are sources, and all their tests run
 * @throws {Problem} on two flags that exclude each other; `checkUsage` has already refused unknown flags, and values
 */
export function whatToTest(argv, changedSince = () => []) {
  if (argv.includes('--changed')) return whatChanged(argv, changedSince);
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
  return { wants, projects: projectsFor(codeFiles, all), codeFiles, e2eFiles, isRelated: false };
}

function whatChanged(argv, changedSince) {
  const [revision = 'HEAD', ...others] = argv.filter((argument) => argument !== '--changed');
  const wrong = [revision, ...others].find((argument, i) => i > 0 || argument.startsWith('-'));
  if (wrong) throw new Problem(`npm test takes --changed with one commit at most, not with ${wrong}.`);
  const files = changedSince(revision);
  if (files.length === 0) throw new Problem(`Nothing has changed since ${revision}.`);
  const e2eFiles = files.filter((file) => /^e2e\/.*\.spec\.ts$/.test(file));
  const codeFiles = files.filter((file) => !file.startsWith('e2e/'));
  const wants = {
    checks: true,
    code: codeFiles.length > 0,
    e2e: e2eFiles.length > 0,
    all: false,
    system: false,
  };
  return { wants, projects: GATE, codeFiles, e2eFiles, isRelated: true };
}

/** Returns the projects that the names of the files ask for. */
function projectsFor(files, all) {
  const isNamed = (part) => files.some((file) => file.includes(part));
  if (isNamed('.system.test.')) return SYSTEM;
  const second = Object.keys(SECOND).filter((part) => all || isNamed(part));
  return [...GATE, ...second.map((part) => SECOND[part])];
}
