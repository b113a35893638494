/** Formats a whole number: `12345.6` → `12,346`. */
export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Formats a ratio with two decimals, cut rather than rounded: 0.7999 must not look like 0.80. */
export const ratioText = (value: number): string => (Math.floor(value * 100 + 1e-9) / 100).toFixed(2);

/** Formats milliseconds, with one decimal below 100. */
export const msText = (value: number): string =>
  value < 100 ? `${value.toFixed(1)} ms` : `${whole(value)} ms`;
