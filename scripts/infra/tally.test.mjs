import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { failedFiles } from './runner-reports.mjs';
import { BUSY_SHARE, createTally, MOST_FLAKY } from './tally.mjs';

let folder;
let count = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seckill-tally-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function report(content) {
  count += 1;
  const file = join(folder, `report-${count}.json`);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const passed = (title = 'adds') => ({ status: 'passed', title });
const failed = (title, ...failureMessages) => ({ status: 'failed', title, failureMessages });
const file = (name, ...assertionResults) => ({
  name,
  status: assertionResults.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
  assertionResults,
});
const vitest = (...testResults) => report({ testResults });
const playwright = (...specs) => {
  const all = specs.flatMap(({ tests }) => tests);
  const of = (status) => all.filter((test) => test.status === status).length;
  const stats = { expected: of('expected'), unexpected: of('unexpected'), flaky: of('flaky') };
  return report({
    stats,
    suites: specs.map((spec) => ({ file: spec.file, suites: [{ file: spec.file, specs: [spec] }] })),
  });
};
const spec = (name, title, ...tests) => ({ file: name, title, ok: true, tests });
const test = (projectName, status, message) => ({
  projectName,
  status,
  results: message === undefined ? [] : [{ errors: [{ message }] }],
});

it('[L4] a test file that could not be loaded counts as failed', () => {
  const tally = createTally();
  const broken = {
    name: 'broken.test.ts',
    status: 'failed',
    message: 'no such module',
    assertionResults: [],
  };
  tally.vitest({ report: vitest(broken, file('math.test.ts', passed())), isOk: false });
  expect(tally.total).toEqual({ passed: 1, failed: 1 });
  expect(tally.summary()).toBe('Failed:\n  broken.test.ts\n    no such module');
});

it('[L4] a runner that fails without naming a test, or without a report, counts as one failure', () => {
  const tally = createTally();
  tally.vitest({ report: vitest(file('math.test.ts', passed())), isOk: false });
  expect(tally.playwright({ report: join(folder, 'none.json'), isOk: false })).toBe(false);
  expect(tally.total).toEqual({ passed: 1, failed: 2 });
});

it('[L4] an error outside of every test counts as a failure', () => {
  const tally = createTally();
  tally.vitest({ report: vitest(file('math.test.ts', passed())), isOk: false, unhandled: ['late'] });
  expect(tally.total).toEqual({ passed: 1, failed: 1 });
  expect(tally.summary()).toBe('Failed:\n  vitest › outside of every test\n    late');
});

it('[L4] what failed is named, with its project and the whole of its error but the stack', () => {
  const tally = createTally('/shop');
  tally.vitest({
    report: vitest(
      file('/shop/math.test.ts', passed(), failed('subtracts', 'expected 1 to be 2\n  at line 3')),
    ),
    isOk: false,
  });
  const isCalm = tally.playwright({
    report: playwright(
      spec(
        'shop.spec.ts',
        'pays',
        test('desktop', 'expected'),
        test('phone', 'unexpected', '\u001b[31mno row\u001b[39m\n\n  waited 5 s'),
      ),
      spec('shop.spec.ts', 'waits', test('desktop', 'expected')),
    ),
    isOk: false,
  });
  tally.check('style', false, 'one line too long');
  tally.check('types', true);
  expect(isCalm).toBe(false);
  expect(tally.total).toEqual({ passed: 4, failed: 3 });
  expect(tally.summary().split('\n')).toEqual([
    'Failed:',
    '  math.test.ts › subtracts',
    '    expected 1 to be 2',
    '  shop.spec.ts › pays (phone)',
    '    no row',
    '      waited 5 s',
    '  style',
    '    one line too long',
  ]);
});

it('[L4] a file that passes when it is judged again is named as flaky, and is no failure', () => {
  const tally = createTally();
  const first = vitest(
    file('a.test.ts', passed(), failed('waits', 'too late'), failed('waits more', 'later')),
    file('b.test.ts', passed()),
  );
  expect(failedFiles(first)).toEqual(['a.test.ts']);
  const again = vitest(file('a.test.ts', passed(), passed('waits'), passed('waits more')));
  tally.vitest({ report: first, isOk: false }, { report: again, isOk: true });
  const isCalm = tally.playwright({
    report: playwright(spec('shop.spec.ts', 'pays', test('phone', 'flaky', 'no row'))),
    isOk: true,
  });
  expect(isCalm).toBe(false);
  expect(tally.total).toEqual({ passed: 5, failed: 0 });
  expect(tally.summary().split('\n')).toEqual([
    'Flaky:',
    '  a.test.ts › waits',
    '    too late',
    '  shop.spec.ts › pays (phone)',
    '    no row',
  ]);
});

it('[L4] a bound on time that was missed beside others is named, and not judged', () => {
  const slow = 'AssertionError: expected 312.5 to be less than 250';
  const inBrowser =
    '\u001B[2mexpect(\u001B[22mreceived\u001B[2m).\u001B[22mtoBeLessThan\u001B[2m(\u001B[22mexpected\u001B[2m)';
  const tallyOf = (othersShare) => {
    const tally = createTally();
    const files = [
      file('a.timed.integration.test.ts', passed(), failed('is quick', slow), failed('is right', 'too many')),
      file('b.integration.test.ts', failed('is quick, too', slow)),
    ];
    tally.vitest({ report: vitest(...files), isOk: false, othersShare });
    const late = spec('c.timed.spec.ts', 'shows', test('timed', 'unexpected', inBrowser));
    tally.playwright({ report: playwright(late), isOk: false, othersShare });
    return tally;
  };
  expect(tallyOf(BUSY_SHARE).total).toEqual({ passed: 1, failed: 4 });
  const busy = tallyOf(BUSY_SHARE + 0.01);
  expect(busy.total).toEqual({ passed: 1, failed: 2 });
  const [notJudged, failures] = busy.summary().split('Failed:');
  expect(notJudged).toMatch(
    /^Busy, not judged:\n {2}a\.timed\.\S+ › is quick\n.*\n {2}c\.timed\.spec\.ts › shows/,
  );
  expect(failures).toMatch(
    /^\n {2}a\.timed\.\S+ › is right\n.*\n {2}b\.integration\.test\.ts › is quick, too\n/,
  );
});

it('[L4] a file that fails twice is a failure, and so are errors outside of tests beside a flaky one', () => {
  const tally = createTally();
  const [a, b] = ['a.test.ts', 'b.test.ts'].map((name) => file(name, failed('waits', 'too late')));
  const again = vitest(a, file('b.test.ts', passed('waits')));
  tally.vitest({ report: vitest(a, b), isOk: false }, { report: again, isOk: false });
  expect(tally.total).toEqual({ passed: 1, failed: 1 });
  tally.vitest({ report: vitest(b), isOk: false, unhandled: ['late'] }, { report: again, isOk: true });
  expect(tally.total).toEqual({ passed: 2, failed: 2 });
});

it('[L4] more flaky files than may be are failures', () => {
  const tally = createTally();
  const names = Array.from({ length: MOST_FLAKY + 1 }, (_, i) => `${i}.spec.ts`);
  const flaky = names.map((name) => spec(name, 'waits', test('api', 'flaky', 'late')));
  tally.playwright({ report: playwright(...flaky.slice(1)), isOk: true });
  expect(tally.total).toEqual({ passed: MOST_FLAKY, failed: 0 });
  tally.playwright({ report: playwright(...flaky.slice(0, 1)), isOk: true });
  expect(tally.total).toEqual({ passed: 0, failed: MOST_FLAKY + 1 });
  expect(tally.summary()).toContain('Failed:\n  1.spec.ts › waits (api)\n    late');
});

it('[L4] the summary of any number of failures stays within the last 40 lines', () => {
  const tally = createTally();
  const long = Array.from({ length: 100 }, (_, i) => `line ${i} ${'x'.repeat(1_000)}`).join('\n');
  for (const many of [1, 5, 34, 35, 36, 500]) {
    for (let i = 0; i < many; i += 1) tally.check(`check ${i}`, false, long);
    const lines = tally.summary().split('\n');
    expect(lines.length).toBeLessThanOrEqual(37);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(210);
  }
  expect(tally.summary()).toMatch(/ {2}and \d+ more$/);
});
