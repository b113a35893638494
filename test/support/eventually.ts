import { vi } from 'vitest';

/** A limit for what hangs, not for what is slow: a busy machine takes ten times as long. */
const PATIENCE_MS = 60_000;

/**
 * Repeats a check until it passes, and returns what it returned. `vi.waitFor` by itself gives up after a second.
 * @param check throws, or rejects, as long as the state has not come
 * @param intervalMs the pause between two checks, ms
 * @throws the last error of the check, after a minute
 */
export function eventually<T>(check: () => T | Promise<T>, intervalMs = 50): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: intervalMs });
}
