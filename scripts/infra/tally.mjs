import { stripVTControlCharacters } from 'node:util';
import { readJson } from './write-atomically.mjs';

/** The most files that may fail once and pass when they run again. More make the run red. */
export const MOST_FLAKY = 3;
/** Others that use a larger share of the processors make a bound on time say nothing. */
export const BUSY_SHARE = 0.2;
/** How vitest and Playwright say that something took longer than it may. */
const MISSED_BOUND = /to be less than \d|toBeLessThan\(expected\)/;
/** The lines that the failures may take: only the last 40 of a run are sure to be read. */
const LAST_LINES = 36;
const MAX_LINES = 12;
const MAX_LINE_LENGTH = 200;

/**
 * @typedef {{ file: string, title: string, error: string }} Failure `title`: '' if the whole file failed
 * @typedef {{ report: string, isOk: boolean, unhandled?: string[], othersShare?: number }} Run a runner's JSON report,
 *   whether its exit code was 0, the errors that belong to no test, and the share of the processors that others used
 */

/**
 * Counts the tests of a run and remembers the failures, to name them at its end. A runner that failed without naming a
 * test counts as one failure. A file that failed and then passed is flaky: a failure only above `MOST_FLAKY` files. A
 * bound that a `.timed.` file missed on a busy machine is named, and not judged.
 * @param {string} [root] the checkout; files are named relative to it
 */
export function createTally(root = '') {
  const counted = { passed: 0, failed: 0 };
  /** @type {Failure[]} */
  const failures = [];
  /** @type {Failure[]} */
  const flaky = [];
  /** @type {Failure[]} */
  const notJudged = [];
  const inRoot = ({ file, ...rest }) => ({ file: root ? file.replace(`${root}/`, '') : file, ...rest });
  const add = (runner, { passed, failed }, isOk, othersShare = 0) => {
    const isJudged = ({ file, error }) =>
      othersShare <= BUSY_SHARE ||
      !file.includes('.timed.') ||
      !MISSED_BOUND.test(stripVTControlCharacters(error));
    const judged = failed.filter(isJudged);
    counted.passed += passed;
    counted.failed += judged.length;
    failures.push(...judged.map(inRoot));
    notJudged.push(...failed.filter((failure) => !isJudged(failure)).map(inRoot));
    if (isOk || failed.length > 0) return;
    counted.failed += 1;
    failures.push({ file: runner, title: '', error: 'failed without naming a test: see above' });
  };
  const isTooFlaky = () => new Set(flaky.map(({ file }) => file)).size > MOST_FLAKY;
  return {
    /** @returns {{ passed: number, failed: number }} so far */
    get total() {
      const { passed, failed } = counted;
      return isTooFlaky()
        ? { passed: passed - flaky.length, failed: failed + flaky.length }
        : { passed, failed };
    },
    /** @param {string} name of the check @param {boolean} isOk it passes or fails as a whole. @param {string} [error] */
    check(name, isOk, error = '') {
      add(
        name,
        isOk ? { passed: 1, failed: [] } : { passed: 0, failed: [{ file: name, title: '', error }] },
        isOk,
      );
    },
    /** @param {Run} first @param {Run} [again] of the files that failed in the first one */
    vitest({ report, isOk, unhandled = [], othersShare }, again) {
      const files = vitestFiles(report);
      const good = new Set(
        vitestFiles(again?.report)
          .filter(({ status }) => status === 'passed')
          .map(({ name }) => name),
      );
      const isCured = ({ name, status }) => status === 'failed' && good.has(name);
      flaky.push(...files.filter(isCured).flatMap((file) => failuresIn(file).slice(0, 1).map(inRoot)));
      const passed = files.flatMap((file) =>
        file.assertionResults.filter(
          ({ status }) => status === 'passed' || (status === 'failed' && isCured(file)),
        ),
      ).length;
      const failed = [
        ...files.filter((file) => !isCured(file)).flatMap(failuresIn),
        ...unhandled.map((error) => ({ file: 'vitest', title: 'outside of every test', error })),
      ];
      const isGreen = isOk || (files.some(isCured) && again?.isOk === true);
      add('vitest', { passed, failed }, isGreen, again?.othersShare ?? othersShare);
    },
    /** @param {Run} run @returns {boolean} whether no test failed, not even once */
    playwright({ report, isOk, othersShare }) {
      const { stats, suites = [], errors = [] } = readJson(report) ?? {};
      const named = suites.flatMap(testsInSuite);
      const of = (wanted) =>
        named.filter(({ status }) => status === wanted).map(({ failure }) => inRoot(failure));
      const outside = errors.map(({ message = '' }) => ({ file: 'Playwright', title: '', error: message }));
      flaky.push(...of('flaky'));
      const failed = [...of('unexpected'), ...(isOk ? [] : outside)];
      add('Playwright', { passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0), failed }, isOk, othersShare);
      return isOk && of('flaky').length === 0;
    },
    /** @returns {string} the tests that were not judged, were flaky, or failed, with their errors; '' if there are none */
    summary() {
      const sections = [
        ['Busy, not judged:', notJudged],
        ['Flaky:', flaky],
        ['Failed:', isTooFlaky() ? [...failures, ...flaky] : failures],
      ].filter(([, of]) => of.length > 0);
      const room = Math.floor(LAST_LINES / Math.max(1, sections.length));
      return sections.map(([title, of]) => [title, ...said(of, room)].join('\n')).join('\n');
    },
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

/** Describes the failures in at most `room` lines: each with its place, and with as much of its error as fits. */
function said(failures, room) {
  const shown = failures.slice(0, room - 1);
  const each = Math.min(MAX_LINES, Math.floor(room / shown.length) - 1);
  const rest = failures.length - shown.length;
  return [
    ...shown.flatMap(({ file, title, error }) => [
      `  ${[file, title].filter(Boolean).join(' › ')}`,
      ...linesOf(error).slice(0, each),
    ]),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

/** Returns the lines of an error without colours and stack. */
const linesOf = (error) =>
  stripVTControlCharacters(error)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at /.test(line))
    .map((line) => `    ${line.slice(0, MAX_LINE_LENGTH)}`);
