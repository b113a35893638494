import { readJson } from './write-atomically.mjs';

/**
 * Counts what ran. A runner that failed without saying which test did counts as one failure.
 */
export function createTally() {
  const total = { passed: 0, failed: 0 };
  const add = (passed, failed, isOk) => {
    total.passed += passed;
    total.failed += failed === 0 && !isOk ? 1 : failed;
  };
  return {
    total,
    /** @param {boolean} isOk one check that passes or fails as a whole. */
    check: (isOk) => add(isOk ? 1 : 0, isOk ? 0 : 1, true),
    /** @param {string} file vitest's JSON report @param {boolean} isOk its exit code was 0. */
    vitest(file, isOk) {
      const report = readJson(file);
      const files = report?.testResults ?? [];
      // A file that could not even be loaded has no tests to fail.
      const broken = files.filter(
        (result) => result.status === 'failed' && result.assertionResults.length === 0,
      );
      add(report?.numPassedTests ?? 0, (report?.numFailedTests ?? 0) + broken.length, isOk);
    },
    /** @param {string} file Playwright's JSON report @param {boolean} isOk its exit code was 0. */
    playwright(file, isOk) {
      const stats = readJson(file)?.stats;
      add(stats?.expected ?? 0, (stats?.unexpected ?? 0) + (stats?.flaky ?? 0), isOk);
    },
  };
}
