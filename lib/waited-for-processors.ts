import { readFileSync } from 'node:fs';

/**
 * Reads for how long somebody has waited for a processor, µs since the system started: Linux measures it
 * (https://docs.kernel.org/accounting/psi.html). Null elsewhere.
 */
export function waitedForProcessors(): number | null {
  try {
    const [, total] = /^some .*total=(\d+)$/m.exec(readFileSync('/proc/pressure/cpu', 'utf8')) ?? [];
    return total === undefined ? null : Number(total);
  } catch {
    return null;
  }
}
