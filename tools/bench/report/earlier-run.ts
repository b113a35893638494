import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { UsageError } from '@/scripts/usage-error';
import { environment, row } from './types';

/** The parts that `--compare` needs of a file written by `--json`. */
const earlierRun = z.object({
  environment: environment.pick({
    date: true,
    cpu: true,
    cores: true,
    mode: true,
    rounds: true,
    roundSeconds: true,
  }),
  reports: z.array(
    z.object({
      name: z.string(),
      rows: z.array(row.pick({ figure: true, result: true, compared: true })),
    }),
  ),
});

export type EarlierRun = z.infer<typeof earlierRun>;

/**
 * Reads the results that an earlier run wrote with `--json`.
 * @throws UsageError when the file can't be read, or holds something else.
 */
export function readEarlierRun(file: string): EarlierRun {
  const refuse = (problem: string) => new UsageError(`--compare: ${file} ${problem}`);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error);
    throw refuse(error instanceof SyntaxError ? `is no JSON (${reason})` : `can't be read (${reason})`);
  }
  const found = earlierRun.safeParse(content);
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  throw refuse(
    `was not written by npm run bench -- --json (${issue?.path.join('.') || 'file'}: ${issue?.message})`,
  );
}
