import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { Problem } from './problem.mjs';

/** Files that no import names, and the modules that read them. */
export const READ_BY = [
  [/^prisma\//, ['lib/db/client.ts', 'scripts/migrate/apply-migrations.ts']],
  [/^messages\//, ['i18n/read-messages.ts', 'i18n/messages.test.ts']],
  [/^docs\//, ['docs/asvs.test.ts', 'docs/guarantees.test.ts', 'docs/runbook.test.ts']],
];

/**
 * Returns the files that differ from a commit: committed since, staged, changed or new. Adds the modules that read a
 * changed file which no import names, such as a Lua script.
 * @param {string} root the checkout
 * @param {string} revision as git takes it
 * @returns {string[]} relative to the checkout, without deleted files
 * @throws {Problem} if git does not know the revision, or `root` is no checkout
 */
export function changedFiles(root, revision) {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const lines = (...args) =>
    git(...args)
      .stdout.split('\0')
      .filter(Boolean);
  if (git('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`).status !== 0)
    throw new Problem(`git knows no commit ${JSON.stringify(revision)} here.`);
  const changed = [
    ...lines('diff', '--name-only', '-z', '--diff-filter=d', '--merge-base', revision),
    ...lines('ls-files', '--others', '--exclude-standard', '-z'),
  ];
  const readers = READ_BY.flatMap(([pattern, modules]) =>
    changed.some((file) => pattern.test(file)) ? modules : [],
  );
  const runners = changed.filter((file) => file.endsWith('.lua')).flatMap((file) => runnersOf(file, lines));
  return [...new Set([...changed, ...readers, ...runners])].sort();
}

/** Returns the modules that run a Lua script; of a part that scripts include, those of all of them. */
function runnersOf(lua, lines) {
  const name = basename(lua, '.lua');
  // Tracked files and new ones.
  const naming = (text, ...paths) => lines('grep', '-l', '-z', '--untracked', '-e', text, '--', ...paths);
  if (lua.includes('/parts/'))
    return naming(`^--@include ${name}$`, '*.lua').flatMap((file) => runnersOf(file, lines));
  return naming(`'${name}'`, '*.ts', ':!*.test.ts', ':!lib/redis/run-script.ts');
}
