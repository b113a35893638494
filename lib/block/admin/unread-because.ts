import type { ParsedCsv } from '@/lib/csv';

/** Why no line of an imported file was read. */
type Unread =
  | Extract<ParsedCsv, { status: 'malformed' }>
  | { status: 'no_columns'; missing: readonly string[] }
  | { status: 'too_many' };

/** Says what is wrong with an imported file as a whole. @param most how many lines it may have */
export function unreadBecause(result: Unread, most: number): string {
  switch (result.status) {
    case 'malformed':
      return `is not CSV: a quotation mark in line ${result.line} is missing or misplaced`;
    case 'no_columns':
      return `the first line must name the columns ${result.missing.join(', ')}`;
    case 'too_many':
      return `has more than ${most.toLocaleString('en')} lines`;
  }
}
