import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { whatToTest } from './what-to-test.mjs';

const [checks, code, e2e] = [true, true, true];

it('[L4] npm test runs everything, or the part that is named', () => {
  expect(whatToTest([]).wants).toEqual({ checks, code, e2e });
  expect(whatToTest(['--unit']).wants).toEqual({ checks, code, e2e: false });
  expect(whatToTest(['--e2e']).wants).toEqual({ checks: false, code: false, e2e });
  expect(whatToTest(['lib/stock', 'e2e/page/admin.spec.ts'])).toEqual({
    wants: { checks: false, code, e2e },
    codeFiles: ['lib/stock'],
    e2eFiles: ['e2e/page/admin.spec.ts'],
  });
  expect(whatToTest(['--unit', 'lib/stock']).wants).toEqual({ checks: false, code, e2e: false });
});

it('[L4] two flags that exclude each other are refused by name', () => {
  expect(() => whatToTest(['--unit', '--e2e'])).toThrow('one of --unit, --e2e');
});

it('[L4] it fails at once then, before anything is installed or started', () => {
  const test = join(import.meta.dirname, '../test.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [test, '--unit', '--e2e'], {
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('one of --unit, --e2e');
});
