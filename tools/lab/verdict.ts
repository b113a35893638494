import type { Standing } from './contest';

/** Describes in words what happened to the stock: the verdict in the table and in the chart. */
export function verdict({ oversold, unsold, drift, lowestStock, orders }: Standing): string {
  const faults = [
    oversold > 0 && `${count(oversold)} oversold`,
    unsold > 0 && `${count(unsold)} unsold`,
    drift !== 0 && `counter off by ${count(Math.abs(drift))}`,
    lowestStock < 0 && `down to ${count(lowestStock)}`,
  ].filter((fault) => fault !== false);
  return faults.length > 0 ? faults.join(', ') : `sold exactly ${count(orders)}`;
}

/** Formats a count like 12,345 or −3, whatever the locale of the machine. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US').replace('-', '−');
}

/** Formats milliseconds, with one decimal while they are few. */
export function milliseconds(value: number): string {
  return value < 10 ? value.toFixed(1) : count(value);
}
