import { afterEach, expect, it, vi } from 'vitest';

const [OLD, NEW, OTHER] = ['old', 'new', 'other'].map(
  (name) => `${name}-${'0123456789abcdef'.repeat(2)}`,
) as [string, string, string];

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

async function started(secret: string) {
  vi.stubEnv('INTERNAL_SECRET', secret);
  vi.resetModules();
  const process = await import('./internal-authorization');
  // Reads the settings now.
  process.internalAuthorization();
  return process;
}

type Process = Awaited<ReturnType<typeof started>>;

it('[N10] our processes believe each other while INTERNAL_SECRET is changed one process after the other', async () => {
  const steps = [OLD, `${OLD},${NEW}`, `${NEW},${OLD}`, NEW];
  const processes = [] as Process[];
  for (const secret of steps) processes.push(await started(secret));
  for (let at = 1; at < steps.length; at += 1) {
    const [earlier, later] = [processes[at - 1], processes[at]] as [Process, Process];
    expect(later.isInternal(earlier.internalAuthorization()), `${steps[at]} is asked`).toBe(true);
    expect(earlier.isInternal(later.internalAuthorization()), `${steps[at]} asks`).toBe(true);
  }
  expect(processes[3]?.isInternal(processes[0]?.internalAuthorization() ?? '')).toBe(false);
});

it('[N10] nobody else is believed', async () => {
  const { isInternal, internalAuthorization } = await started(`${NEW},${OLD}`);
  const right = internalAuthorization();
  for (const wrong of [
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${NEW},${OLD}`,
    `Bearer ${OTHER}`,
    `${right} `,
    right.toLowerCase(),
    `Bearer ${'é'.repeat(40)}`,
  ])
    expect(isInternal(wrong), wrong).toBe(false);
});
