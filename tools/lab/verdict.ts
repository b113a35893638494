import type { Standing } from './contest';

/** What became of the stock, in words: the verdict of the table and of the chart. */
export function verdict({ oversold, unsold, drift, lowestStock, orders }: Standing): string {
  const faults = [
    oversold > 0 && `${count(oversold)} oversold`,
    unsold > 0 && `${count(unsold)} unsold`,
    drift !== 0 && `counter off by ${count(Math.abs(drift))}`,
    lowestStock < 0 && `down to ${count(lowestStock)}`,
  ].filter((fault) => fault !== false);
  return faults.length > 0 ? faults.join(', ') : `sold exactly ${count(orders)}`;
}

/** 12,345 and −3, whatever the locale of the machine. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US').replace('-', '−');
}

/** Milliseconds, with a digit behind the point while they are few. */
export function milliseconds(value: number): string {
  return value < 10 ? value.toFixed(1) : count(value);
}
