import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { COMMANDS, usageOf } from './usages.mjs';

const root = resolve(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** The commands that are ours alone; the others belong to a tool. */
const ours = Object.entries(scripts).filter(([, line]) => /scripts\//.test(line));

/** Calls the command without npm, which takes longer than everything else. */
function call(line, ...args) {
  const argv = line.split(' ').filter((word) => !['exec', 'node'].includes(word));
  return spawnSync(process.execPath, [...argv, ...args], { cwd: root, encoding: 'utf8', env: { PATH: '' } });
}
/** The commands that are not named like the file they run: a script that is two commands, and what the build makes. */
const OTHERWISE = ['dev', 'web', 'worker', 'executor'];
const scriptOf = (name, line) => {
  const script = line.split(' ').findLast((word) => !word.startsWith('-')) ?? '';
  return OTHERWISE.includes(name) ? name : basename(script, extname(script));
};

it('[L1] every command has a usage, and every usage a command', () => {
  const names = new Set(ours.map(([name, line]) => scriptOf(name, line)));
  expect([...names].sort()).toEqual(COMMANDS.toSorted());
});

it.each(ours)(
  '[L1] npm run %s answers --help and -h without loading the product, and refuses what it does not know',
  (name, line) => {
    for (const flag of ['--help', '-h']) {
      const { status, stdout, stderr } = call(line, flag);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout.split('\n')[0]).toBe(`usage: ${usageOf(scriptOf(name, line))}`);
    }
    for (const wrong of ['--nonsense', '--nonsense=1', '-x', `--${'x'.repeat(10_000)}`]) {
      const { status, stdout, stderr } = call(line, wrong);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain(
        `does not know ${JSON.stringify(wrong)}.\nusage: ${usageOf(scriptOf(name, line))}`,
      );
    }
  },
);

it('[L1] a flag that takes no value refuses one, and one that takes a value refuses none', () => {
  for (const [name, wrong] of [
    ['test', '--unit=1'],
    ['verify', '--json=yes'],
    ['chaos', '--json='],
    ['bench', '--profile='],
  ]) {
    const { status, stderr } = call(scripts[name], wrong);
    expect({ name, status }).toEqual({ name, status: 2 });
    expect(stderr).toContain(`does not know "${wrong}".\nusage: `);
  }
});

it('[L1] what takes nothing refuses anything', () => {
  expect(call(scripts.start, 'now').status).toBe(2);
  expect(call(scripts.dev, 'now').stderr).toContain('npm run dev does not know "now"');
});
