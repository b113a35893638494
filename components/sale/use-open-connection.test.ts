import { expect, it } from 'vitest';
import { openInMs } from './use-open-connection';

it('[K3] opens the connection 3 to 8 s before the start: earlier it would be closed again, later all at once', () => {
  for (const random of [0, 0.5, 0.999]) {
    const leftMs = 600_000 - openInMs(600_000, random);
    expect(leftMs).toBeGreaterThanOrEqual(3_000);
    expect(leftMs).toBeLessThanOrEqual(8_000);
    expect(openInMs(2_000, random)).toBe(0);
    expect(openInMs(-60_000, random)).toBe(0);
  }
});
