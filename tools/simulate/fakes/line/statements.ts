import type { Transaction } from '../../stores/tables';

/** What a statement does. @returns its rows; of one that is only executed, how many it wrote */
export type Statement = (
  tx: Transaction,
  values: readonly unknown[],
) => unknown[] | number | Promise<unknown[] | number>;

/** Statements by their text, with `?` for each value and single spaces. */
export type Statements = Readonly<Record<string, Statement>>;

/** Returns a statement's text as `Statements` have it. */
export const textOf = (strings: readonly string[]): string => strings.join('?').replace(/\s+/g, ' ').trim();
