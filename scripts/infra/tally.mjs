import { stripVTControlCharacters } from 'node:util';
import { readPlaywright, readVitest } from './runner-reports.mjs';

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
 * @typedef {import('./runner-reports.mjs').Failure} Failure
 * @typedef {import('./runner-reports.mjs').Run & { othersShare?: number }} Run `othersShare`: the share of the processors
 *   that others used
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
  const add = (runner, { passed, failed, flaky: cured = [] }, isOk, othersShare = 0) => {
    const isJudged = ({ file, error }) =>
      othersShare <= BUSY_SHARE ||
      !file.includes('.timed.') ||
      !MISSED_BOUND.test(stripVTControlCharacters(error));
    const judged = failed.filter(isJudged);
    flaky.push(...cured.map(inRoot));
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
    vitest(first, again) {
      const { isGreen, ...found } = readVitest(first, again);
      add('vitest', found, isGreen, again?.othersShare ?? first.othersShare);
    },
    /** @param {Run} run @returns {boolean} whether no test failed, not even once */
    playwright(run) {
      const found = readPlaywright(run);
      add('Playwright', found, run.isOk, run.othersShare);
      return run.isOk && found.flaky.length === 0;
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
