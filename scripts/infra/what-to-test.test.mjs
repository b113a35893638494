import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkNames } from './check-names.mjs';
import { whatToTest } from './what-to-test.mjs';

const [checks, code, e2e] = [true, true, true];
const gate = { all: false, system: false };
const GATE = ['unit', 'replacing', 'integration', 'replacing-with-servers'];

it('[L4] npm test runs the gate, or the part that is named', () => {
  expect(whatToTest([])).toMatchObject({ wants: { checks, code, e2e, ...gate }, projects: GATE });
  expect(whatToTest(['--unit']).wants).toEqual({ checks, code, e2e: false, ...gate });
  expect(whatToTest(['--e2e']).wants).toEqual({ checks: false, code: false, e2e, ...gate });
  expect(whatToTest(['lib/stock', 'e2e/page/admin.spec.ts'])).toEqual({
    wants: { checks: false, code, e2e, ...gate },
    projects: GATE,
    codeFiles: ['lib/stock'],
    e2eFiles: ['e2e/page/admin.spec.ts'],
    isRelated: false,
  });
  expect(whatToTest(['--unit', 'lib/stock']).wants).toEqual({ checks: false, code, e2e: false, ...gate });
});

it('[L4] with --all it also runs what takes long, the bounds on time and the commands from outside', () => {
  const all = whatToTest(['--all']);
  expect(all).toMatchObject({ wants: { checks, code, e2e, all: true, system: true } });
  expect(all.projects).toEqual([...GATE, 'long', 'timed']);
  expect(whatToTest(['--all', '--unit']).wants.system).toBe(false);
  expect(whatToTest(['--all', '--e2e']).wants).toEqual({
    checks: false,
    code: false,
    e2e,
    all: true,
    system: true,
  });
  expect(whatToTest(['--all', 'lib/stock'])).toMatchObject({
    wants: { system: false },
    projects: all.projects,
  });
});

it('[L4] a file that is named runs whatever judges it', () => {
  expect(whatToTest(['lib/lock/redlock.timed.integration.test.ts']).projects).toEqual([...GATE, 'timed']);
  expect(whatToTest(['tools/lab/lab.long.integration.test.ts']).projects).toEqual([...GATE, 'long']);
  expect(whatToTest(['scripts/start.system.test.mjs']).projects).toEqual(['system']);
});

it('[L4] with --changed it runs what a change can break, and says so where there is none', () => {
  const since = [];
  const changed = ['lib/stock/purchase.ts', 'e2e/page/draw.spec.ts', 'e2e/support/shop.ts'];
  const ask = (argv, files = changed) =>
    whatToTest(argv, (revision) => {
      since.push(revision);
      return files;
    });
  expect(ask(['--changed'])).toEqual({
    wants: { checks, code, e2e, ...gate },
    projects: GATE,
    codeFiles: ['lib/stock/purchase.ts'],
    e2eFiles: ['e2e/page/draw.spec.ts'],
    isRelated: true,
  });
  expect(ask(['--changed', 'main'], ['README.md']).wants).toEqual({ checks, code, e2e: false, ...gate });
  expect(since).toEqual(['HEAD', 'main']);
  expect(() => ask(['--changed'], [])).toThrow('Nothing has changed since HEAD.');
  expect(() => ask(['--changed', 'main', 'lib/stock'])).toThrow('not with lib/stock');
  expect(() => ask(['--changed', '--unit'])).toThrow('not with --unit');
});

it('[L4] two flags that exclude each other are refused by name', () => {
  expect(() => whatToTest(['--unit', '--e2e'])).toThrow('one of --unit, --e2e');
});

it('[L4] a folder means the tests in it, and none whose path only holds its name', () => {
  const root = join(import.meta.dirname, '../..');
  const files = checkNames(root, ['test', 'lib/stock/stock.model.integration.test.ts']);
  expect(files).toContain('test/levels.test.ts');
  expect(files.filter((file) => !file.startsWith('test/'))).toEqual([
    'lib/stock/stock.model.integration.test.ts',
  ]);
});

it.each([
  [['--unit', '--e2e'], 'npm test takes one of --unit, --e2e; without either it runs both.'],
  [['lib/no-such-file.test.ts'], 'There is no file or folder "lib/no-such-file.test.ts" here.'],
  [['/etc/hosts'], 'There is no file or folder "/etc/hosts" here.'],
  [['lib/stock', 'README.md'], '"README.md" is no test, and holds none.'],
  [['e2e/support'], '"e2e/support" is no test, and holds none.'],
  [['--changed', 'no-such-commit'], 'git knows no commit "no-such-commit" here.'],
])('[L4] %j fails at once with one sentence, before anything is installed or started', (args, sentence) => {
  const test = join(import.meta.dirname, '../test.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [test, ...args], { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: `${sentence}\n` });
});
