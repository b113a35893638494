const UNIT_MS: Record<string, number> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };
const DURATION = /^(?:\d+[wdhms])+$/;

/**
 * Returns when a `Sleep` step wakes.
 * @param name what the SDK puts into the step's name: `1h30m`, an ISO time, or nothing for a sleep of 0.
 * @param nowMs epoch ms the sleep starts at.
 * @returns epoch ms, or undefined when `name` is neither.
 */
export function wakeAt(name: string, nowMs: number): number | undefined {
  if (name === '') return nowMs;
  if (!DURATION.test(name)) {
    const at = Date.parse(name);
    return Number.isNaN(at) ? undefined : at;
  }
  let ms = nowMs;
  for (const [, amount, unit] of name.matchAll(/(\d+)([wdhms])/g))
    ms += Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
  return ms;
}
