import 'server-only';
import { createHash } from 'node:crypto';
import { type Actor, demand } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import { blockSubjects } from '@/lib/block/block-subjects';
import type { ImportError, ImportedBlocks } from '@/lib/contract/shapes/block';
import { type ParsedBlocks, parseBlocks } from './block-csv';

/** Wrong lines beyond this are only counted, not named. */
const MAX_ERRORS = 100;

type ImportResult = Exclude<ParsedBlocks, { status: 'parsed' }> | ({ status: 'imported' } & ImportedBlocks);

/**
 * Blocks everything a CSV file names (columns kind, value, reason, and expires_at as ISO 8601), at most 10,000 lines.
 * Skips wrong lines and names them. Importing a file again changes nothing. The audit log gets only the number of
 * blocks and the file; each block itself says who set it.
 */
export async function importBlocks(actor: Actor, text: string): Promise<ImportResult> {
  demand(actor, 'operator');
  const parsed = parseBlocks(text, actor.userId);
  if (parsed.status !== 'parsed') return parsed;
  const errors: ImportError[] = [];
  const good = parsed.rows.flatMap((row) => {
    if ('request' in row) return [row];
    errors.push(row);
    return [];
  });
  const requests = good.map(({ request }) => request);
  const sha256 = createHash('sha256').update(text).digest('hex');
  const outcomes = await blockSubjects(requests, Date.now(), async (tx, changed) => {
    if (changed.length === 0) return;
    await recordAction(tx, actor, {
      action: 'block.import',
      subject: { kind: 'block', id: 'file' },
      before: null,
      after: { lines: parsed.rows.length, changed: changed.length, sha256 },
    });
  });
  outcomes.forEach((outcome, at) => {
    if (outcome.status === 'refused') errors.push({ line: good[at]?.line ?? 0, problem: outcome.problem });
  });
  errors.sort((a, b) => a.line - b.line);
  const imported = parsed.rows.length - errors.length;
  return { status: 'imported', imported, failed: errors.length, errors: errors.slice(0, MAX_ERRORS) };
}
