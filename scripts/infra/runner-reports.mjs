import { readJson } from './write-atomically.mjs';

/**
 * @typedef {{ file: string, title: string, error: string }} Failure `title`: '' if the whole file failed
 * @typedef {{ report: string, isOk: boolean, unhandled?: string[] }} Run a runner's JSON report, whether its exit code was
 *   0, and the errors that belong to no test
 */

/**
 * Reads vitest's report. A file that failed, and passed in the second run, is flaky.
 * @param {Run} first @param {Run} [again] of the files that failed in the first one
 * @returns {{ passed: number, failed: Failure[], flaky: Failure[], isGreen: boolean }}
 */
export function readVitest({ report, isOk, unhandled = [] }, again) {
  const files = vitestFiles(report);
  const good = new Set(
    vitestFiles(again?.report)
      .filter(({ status }) => status === 'passed')
      .map(({ name }) => name),
  );
  const isCured = ({ name, status }) => status === 'failed' && good.has(name);
  const passed = files.flatMap((file) =>
    file.assertionResults.filter(
      ({ status }) => status === 'passed' || (status === 'failed' && isCured(file)),
    ),
  ).length;
  return {
    passed,
    failed: [
      ...files.filter((file) => !isCured(file)).flatMap(failuresIn),
      ...unhandled.map((error) => ({ file: 'vitest', title: 'outside of every test', error })),
    ],
    flaky: files.filter(isCured).flatMap((file) => failuresIn(file).slice(0, 1)),
    isGreen: isOk || (files.some(isCured) && again?.isOk === true),
  };
}

/** @param {Run} run of Playwright @returns {{ passed: number, failed: Failure[], flaky: Failure[] }} */
export function readPlaywright({ report, isOk }) {
  const { stats, suites = [], errors = [] } = readJson(report) ?? {};
  const named = suites.flatMap(testsInSuite);
  const of = (wanted) => named.filter(({ status }) => status === wanted).map(({ failure }) => failure);
  const outside = errors.map(({ message = '' }) => ({ file: 'Playwright', title: '', error: message }));
  return {
    passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0),
    failed: [...of('unexpected'), ...(isOk ? [] : outside)],
    flaky: of('flaky'),
  };
}

/** @param {string | undefined} report of vitest @returns {string[]} the files in which something failed */
export const failedFiles = (report) =>
  vitestFiles(report)
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => name);

const vitestFiles = (report) => (report && readJson(report)?.testResults) || [];

/** @param {any} file of vitest's report @returns {Failure[]} */
function failuresIn({ name, status, message, assertionResults }) {
  const tests = assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => ({ file: name, title: test.title, error: test.failureMessages?.[0] ?? '' }));
  return tests.length === 0 && status === 'failed' ? [{ file: name, title: '', error: message }] : tests;
}

/**
 * Returns each test with its status, and how it failed if it did. A spec's own `ok` won't do: Playwright reports a test
 * once for all projects, and that field is of the first of them only.
 * @param {any} suite one file or group of Playwright's report
 * @returns {{ status: string, failure: Failure }[]}
 */
function testsInSuite({ file, suites = [], specs = [] }) {
  const tests = specs.flatMap(({ title, tests = [] }) =>
    tests.map(({ status, projectName, results = [] }) => ({
      status,
      failure: {
        file,
        title: `${title} (${projectName})`,
        error: results.flatMap(({ errors = [] }) => errors)[0]?.message ?? '',
      },
    })),
  );
  return [...tests, ...suites.flatMap(testsInSuite)];
}
