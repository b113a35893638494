import { expect, it } from 'vitest';
import { eventually } from '@/test/support/eventually';
import { progress } from './progress.mjs';

function paper(isTTY = false) {
  let text = '';
  return { isTTY, write: (more) => (text += more), text: () => text.replace(/\d+\.\d s/g, 'N s') };
}

it('[L1] a step is one line with what it did and how long it took', async () => {
  const out = paper();
  const show = progress(out);
  expect(await show.step('Build', async (note) => note('up to date'))).toBeUndefined();
  expect(out.text()).toBe('  Build … up to date, N s\n');
});

it('[L1] a step that takes long says again and again what it waits for, on lines of their own', async () => {
  const out = paper();
  const show = progress(out, 20);
  await show.step('Postgres', async (note, wait) => {
    wait(() => 'it recovers');
    await eventually(() => expect(out.text()).toContain('it recovers (N s)\n    it recovers (N s)'));
    note('port 15432');
  });
  expect(out.text().startsWith('  Postgres … \n    it recovers (N s)\n')).toBe(true);
  expect(out.text().endsWith('\n  Postgres … port 15432, N s\n')).toBe(true);
});

it('[L1] the same words come again only after twice the time, other words at once', async () => {
  const out = paper();
  const show = progress(out, 5);
  let looks = 0;
  await show.step('Build', async (_note, wait) => {
    wait(() => {
      looks += 1;
      return looks === 12 ? 'it collects data' : 'it compiles';
    });
    await eventually(() => expect(looks).toBeGreaterThan(12));
  });
  const said = out.text().split('\n').slice(1, -2);
  const compiles = '    it compiles (N s)';
  expect(said.slice(0, 6)).toEqual([
    compiles,
    compiles,
    compiles,
    compiles,
    '    it collects data (N s)',
    compiles,
  ]);
});

it('[L1] on a terminal it does so in place', async () => {
  const out = paper(true);
  const show = progress(out, 20);
  await show.step('Build', () => eventually(() => expect(out.text()).toContain('still at it')));
  expect(out.text()).not.toContain('\n    ');
  expect(out.text().endsWith('\r\x1b[K  Build … N s\n')).toBe(true);
});

it('[L1] a line in the middle of a step, and a failure after it, leave whole lines', async () => {
  const out = paper();
  const show = progress(out);
  const failing = show.step('Application', () => {
    show.line('  The worker ended.');
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(out.text()).toBe('  Application … \n  The worker ended.\n  Application … failed\n');
});

it('[L1] a line in the middle of a step stays on a terminal when the step says again what it waits for', async () => {
  const out = paper(true);
  const show = progress(out, 20);
  await show.step('Application', () => {
    show.line('  The worker ended.');
    return eventually(() => expect(out.text()).toContain('still at it'));
  });
  expect(seen(out.text())).toEqual(['  The worker ended.', '  Application … N s', '']);
});

/** Returns what a terminal shows in the end, without erased lines. */
const seen = (text) => text.split('\n').map((line) => line.split('\r\x1b[K').at(-1));
