export const CHECK_IDS = [
  ...(['postgres', 'redis', 'stock', 'worker', 'executor', 'clock'] as const),
  ...(['page', 'window', 'payment', 'reservation', 'limits', 'mail'] as const),
] as const;
type CheckId = (typeof CHECK_IDS)[number];

/** One thing that was looked at before a sale is published. */
export type Check = {
  id: CheckId;
  ok: boolean;
  /** What it means if it is not ok: `stop` forbids publishing, `warn` leaves it to the merchant. */
  severity: 'stop' | 'warn';
  /** Which of the things that can be wrong with it; null = none. Stable. */
  reason: string | null;
  /** The same in words. */
  detail: string;
  /** The numbers in it: milliseconds, seconds or units. */
  values: Record<string, number>;
};

export type Preflight = { ok: boolean; checks: Check[] };

export const passed = (id: CheckId, detail: string, values: Record<string, number> = {}): Check => ({
  ...{ id, ok: true, severity: 'warn', reason: null, detail, values },
});

export const failed = (
  severity: Check['severity'],
  id: CheckId,
  reason: string,
  detail: string,
  values: Record<string, number> = {},
): Check => ({ id, ok: false, severity, reason, detail, values });
