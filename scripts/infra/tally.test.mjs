import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTally } from './tally.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seckill-tally-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function report(content) {
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

it('[L4] a test file that could not be loaded counts as failed', () => {
  const tally = createTally();
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'passed', assertionResults: [{}] },
  ];
  tally.vitest(report({ numPassedTests: 7, numFailedTests: 0, testResults }), false);
  expect(tally.total).toEqual({ passed: 7, failed: 1 });
});

it('[L4] a runner that fails without naming a test, or without a report, counts as one failure', () => {
  const tally = createTally();
  tally.vitest(report({ numPassedTests: 3, numFailedTests: 0, testResults: [] }), false);
  tally.playwright(join(folder, 'none.json'), false);
  expect(tally.total).toEqual({ passed: 3, failed: 2 });
  expect(tally.failures).toHaveLength(2);
});

it('[L4] a browser test that only passed when repeated counts as failed', () => {
  const tally = createTally();
  tally.playwright(report({ stats: { expected: 5, unexpected: 1, flaky: 2, skipped: 1 } }), false);
  expect(tally.total).toEqual({ passed: 5, failed: 3 });
});

it('[L4] what failed is named', () => {
  const tally = createTally();
  const assertionResults = [
    { status: 'passed', title: 'adds' },
    { status: 'failed', title: 'subtracts', failureMessages: ['expected 1 to be 2\n  at line 3'] },
  ];
  const testResults = [
    { name: 'math.test.ts', status: 'failed', assertionResults },
    { name: 'broken.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
  ];
  tally.vitest(report({ numPassedTests: 1, numFailedTests: 1, testResults }), false);
  const errors = [{ message: '\u001b[31mno row\u001b[39m\n\n  waited 5 s' }];
  const specs = [
    {
      title: 'pays',
      // Of the first project, as Playwright reports it.
      ok: true,
      tests: [
        { projectName: 'desktop', status: 'expected', results: [{ errors: [] }] },
        { projectName: 'phone', status: 'unexpected', results: [{ errors }] },
      ],
    },
    { title: 'waits', ok: true, tests: [{ projectName: 'desktop', status: 'expected', results: [] }] },
  ];
  const suites = [{ file: 'shop.spec.ts', suites: [{ file: 'shop.spec.ts', specs }] }];
  tally.playwright(report({ stats: { expected: 1, unexpected: 1 }, suites }), false);
  tally.check('style', false);
  expect(tally.failures).toEqual([
    'math.test.ts › subtracts\n    expected 1 to be 2',
    'broken.test.ts\n    no such module',
    'shop.spec.ts › pays (phone)\n    no row\n      waited 5 s',
    'style',
  ]);
});
