import { expect, test } from '@playwright/test';
import { npmRun } from '../support/commands';

test('[L4] the books of all sales, the proofs, the statements and the audit log are in order', async () => {
  // It runs after the others, some of which break the books of a sale for a moment.
  await expect(async () => {
    const { code, stdout, stderr } = await npmRun('verify', ['--json']);
    const { sales, ...others } = JSON.parse(stdout) as { sales: { ok: boolean; saleId: string }[] };
    const broken = sales.filter(({ ok }) => !ok);
    expect(broken, stderr).toEqual([]);
    expect(sales.length).toBeGreaterThanOrEqual(5);
    expect(code, JSON.stringify(others)).toBe(0);
  }).toPass({ timeout: 240_000, intervals: [5_000] });
});
