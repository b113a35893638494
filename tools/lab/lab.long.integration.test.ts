import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

type Outcome = { code: number; stdout: string; stderr: string };

const dir = mkdtempSync(join(tmpdir(), 'seckill-lab-command-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Runs the lab as npm does. */
function lab(...args: string[]): Promise<Outcome> {
  const argv = ['--import', 'tsx', '--conditions=react-server', join('tools', 'lab.ts'), ...args];
  return new Promise((done) => {
    execFile(
      process.execPath,
      argv,
      { cwd: resolve(import.meta.dirname, '../..') },
      (error, stdout, stderr) => {
        done({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
      },
    );
  });
}

describe('npm run lab', () => {
  it('[C4] prints the table and writes figures and chart', async () => {
    const [json, svg] = [join(dir, 'lab.json'), join(dir, 'lab.svg')];
    const race = ['--buyers=400', '--units=20', '--seed=3'];
    const outcome = await lab('--only=ours,redis-check-then-incr', ...race, '--json', json, '--svg', svg);
    expect(outcome.code, outcome.stderr).toBe(0);
    expect(outcome.stdout).toMatch(/Redis: check, then INCR .*✗ oversells\nOurs: .*✓ correct\n$/);
    const figures = JSON.parse(readFileSync(json, 'utf8'));
    expect(figures.course).toEqual({ buyers: 400, units: 20, concurrency: 64, seed: 3 });
    expect(figures.standings).toMatchObject([
      { name: 'redis-check-then-incr', isAsLabelled: true },
      { name: 'ours', orders: 20, drift: 0, isAsLabelled: true },
    ]);
    expect(readFileSync(svg, 'utf8')).toContain('400 buyers race for 20 units');
  });

  it('[C4] exits 2 with one sentence on anything it cannot do, before it starts a server', async () => {
    const outcomes = await Promise.all([
      lab('--buyers=NaN'),
      lab('--only=nobody'),
      lab('--nonsense'),
      lab('--json', join(dir, 'nowhere', 'lab.json')),
      lab('--only=ours', '--svg', dir),
    ]);
    for (const { code, stdout, stderr } of outcomes) {
      const lines = stderr.trim().split('\n').length;
      expect({ code, stdout, lines }, stderr).toEqual({ code: 2, stdout: '', lines: 1 });
    }
    expect(outcomes[3]?.stderr).toContain('cannot be written (ENOENT)');
  });
});
