import { stripVTControlCharacters } from 'node:util';
import { readJson } from './write-atomically.mjs';

const MAX_LINES = 12;
const MAX_LINE_LENGTH = 200;

/**
 * Counts the tests that ran and remembers the failures, to name them at the very end: a run prints thousands of
 * lines, and only the last ones are sure to be read. A runner that failed without saying which test did counts as one
 * failure.
 */
export function createTally() {
  const total = { passed: 0, failed: 0 };
  /** @type {string[]} */
  const failures = [];
  /** @param {string} runner @param {{ passed?: number, failed?: number, names?: string[] }} counts @param {boolean} isOk */
  const add = (runner, { passed = 0, failed = 0, names = [] }, isOk) => {
    total.passed += passed;
    total.failed += failed === 0 && !isOk ? 1 : failed;
    failures.push(...names);
    if (!isOk && names.length === 0) failures.push(`${runner}, without naming a test: see above`);
  };
  return {
    total,
    failures,
    /** @param {string} name of the check @param {boolean} isOk it passes or fails as a whole. */
    check(name, isOk) {
      add(name, isOk ? { passed: 1 } : { failed: 1, names: [name] }, isOk);
    },
    /** Adds to the failures what may explain them. @param {string} what @param {string[]} lines */
    note(what, lines) {
      if (lines.length > 0) failures.push([what, ...lines].join('\n    '));
    },
    /** @param {string} file vitest's JSON report @param {boolean} isOk its exit code was 0. */
    vitest(file, isOk) {
      const report = readJson(file);
      const files = report?.testResults ?? [];
      // A file that could not even be loaded has no tests to fail.
      const broken = files.filter(
        (result) => result.status === 'failed' && result.assertionResults.length === 0,
      );
      const failed = (report?.numFailedTests ?? 0) + broken.length;
      add('vitest', { passed: report?.numPassedTests, failed, names: files.flatMap(failedInVitest) }, isOk);
    },
    /** @param {string} file Playwright's JSON report @param {boolean} isOk its exit code was 0. */
    playwright(file, isOk) {
      const report = readJson(file);
      const stats = report?.stats;
      const failed = (stats?.unexpected ?? 0) + (stats?.flaky ?? 0);
      const names = (report?.suites ?? []).flatMap(failedInSuite);
      add('Playwright', { passed: stats?.expected, failed, names }, isOk);
    },
  };
}

/** @param {any} result one file of vitest's report. @returns {string[]} */
function failedInVitest({ name, status, message, assertionResults }) {
  const tests = assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => `${name} › ${test.title}\n    ${firstLine(test.failureMessages?.[0])}`);
  return tests.length === 0 && status === 'failed' ? [`${name}\n    ${firstLine(message)}`] : tests;
}

/**
 * Names each test that failed, with its project. A spec's own `ok` won't do: Playwright reports a test once for all
 * projects, and that field is of the first of them only.
 * @param {any} suite one file or group of Playwright's report.
 * @returns {string[]}
 */
function failedInSuite({ file, suites = [], specs = [] }) {
  const failed = specs.flatMap(({ title, tests = [] }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map((test) => `${file} › ${title} (${test.projectName})\n${indented(messageOf(test))}`),
  );
  return [...failed, ...suites.flatMap(failedInSuite)];
}

/** Returns the message of a test's first failing run, without its colours. */
function messageOf({ results = [] }) {
  const [error] = results.flatMap(({ errors = [] }) => errors);
  return stripVTControlCharacters(error?.message ?? '');
}

/** Returns as much of an error as tells what the test waited for, and what it saw instead. */
const indented = (text) =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, MAX_LINES)
    .map((line) => `    ${line.slice(0, MAX_LINE_LENGTH)}`)
    .join('\n');

const firstLine = (text = '') => text.split('\n', 1)[0];
