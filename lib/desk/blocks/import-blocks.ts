import 'server-only';
import { z } from 'zod';
import { blockSubjects } from '@/lib/block/block-subjects';
import type { SubjectProblem } from '@/lib/block/parse-subject';
import type { Actor } from '../actor';
import { type ParsedBlocks, parseBlocks, type RowProblem } from './block-csv';

/** Of the file. */
export const MAX_CHARS = 1024 * 1024;
export const importBlocksSchema = z.object({ csv: z.string().max(MAX_CHARS) });

/** More wrong lines than these are only counted. */
const MAX_ERRORS = 100;

export type ImportError = { line: number; problem: RowProblem | SubjectProblem | 'in_the_past' };

export type ImportResult =
  | Exclude<ParsedBlocks, { status: 'parsed' }>
  | { status: 'imported'; imported: number; failed: number; errors: ImportError[] };

/**
 * Blocks everything a CSV file names (columns kind, value, reason, and expires_at as ISO 8601), at most 10,000 lines. Wrong
 * lines are left out and named. Importing a file again changes nothing.
 */
export async function importBlocks(actor: Actor, text: string): Promise<ImportResult> {
  const parsed = parseBlocks(text, actor.userId);
  if (parsed.status !== 'parsed') return parsed;
  const errors: ImportError[] = [];
  const good = parsed.rows.flatMap((row) => {
    if ('request' in row) return [row];
    errors.push(row);
    return [];
  });
  const outcomes = await blockSubjects(good.map(({ request }) => request));
  outcomes.forEach((outcome, at) => {
    if (outcome.status === 'refused') errors.push({ line: good[at]?.line ?? 0, problem: outcome.problem });
  });
  errors.sort((a, b) => a.line - b.line);
  const imported = parsed.rows.length - errors.length;
  return { status: 'imported', imported, failed: errors.length, errors: errors.slice(0, MAX_ERRORS) };
}
