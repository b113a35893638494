import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changedFiles, READ_BY } from './changed-files.mjs';

let root;
const git = (...args) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: root });
const write = (file, text = 'new') => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'seckill-changed-'));
  git('init', '-q', '-b', 'main');
  for (const file of ['kept.ts', 'changed.ts', 'deleted.ts', 'lib/redis/scripts/parts/rules.lua'])
    write(file, 'old');
  write('lib/redis/scripts/close-1.lua', 'local x\n--@include more\n');
  write('lib/redis/scripts/parts/more.lua', '--@include rules\n');
  for (const file of ['lib/stock/close.ts', 'lib/stock/close.test.ts', 'lib/redis/run-script.ts'])
    write(file, "run('close-1')");
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('[L4] finds what was committed, staged, changed or made since a commit', () => {
  expect(changedFiles(root, 'HEAD')).toEqual([]);
  git('switch', '-q', '-c', 'branch');
  write('committed.ts');
  git('add', '-A');
  git('commit', '-q', '-m', 'second');
  write('staged.ts');
  git('add', '-A');
  write('changed.ts');
  write('with space/made.ts');
  rmSync(join(root, 'deleted.ts'));
  expect(changedFiles(root, 'HEAD')).toEqual(['changed.ts', 'staged.ts', 'with space/made.ts']);
  expect(changedFiles(root, 'main')).toEqual([
    'changed.ts',
    'committed.ts',
    'staged.ts',
    'with space/made.ts',
  ]);
});

it('[L4] adds the modules that read what no import names, and run a script or a part of it', () => {
  write('prisma/schema.prisma');
  write('lib/redis/scripts/close-1.lua');
  expect(changedFiles(root, 'HEAD')).toEqual([
    'lib/db/client.ts',
    'lib/redis/scripts/close-1.lua',
    'lib/stock/close.ts',
    'prisma/schema.prisma',
    'scripts/migrate/apply-migrations.ts',
  ]);
  git('stash', '-q', '--include-untracked');
  write('lib/redis/scripts/parts/rules.lua');
  expect(changedFiles(root, 'HEAD')).toEqual(['lib/redis/scripts/parts/rules.lua', 'lib/stock/close.ts']);
});

it('[L4] names modules that are there', () => {
  const missing = READ_BY.flatMap(([, modules]) => modules).filter(
    (file) => !existsSync(resolve(import.meta.dirname, '../..', file)),
  );
  expect(missing).toEqual([]);
});

it.each(['no-such-commit', '--output=x', ''])('[L4] says that git knows no commit %j', (revision) => {
  expect(() => changedFiles(root, revision)).toThrow(`git knows no commit ${JSON.stringify(revision)} here.`);
});
