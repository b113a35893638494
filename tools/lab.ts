import { LabUsageError, parseLabOptions } from '@/tools/lab/options';
import { runLab } from '@/tools/lab/run-lab';
import { Problem } from '../scripts/infra/problem.mjs';

/**
 * `npm run lab [-- --only NAME,… --json FILE --svg FILE --buyers N --units N --concurrency N --seed N --rounds N]`:
 * every way to deduct stock, right and wrong, in the same race on servers of its own. Exit code 0: each did what is said
 * of it; 1: one did not; 2: could not be run.
 */
try {
  process.exitCode = await runLab(parseLabOptions(process.argv.slice(2)), (line) =>
    process.stderr.write(`${line}\n`),
  );
} catch (error) {
  console.error(sentence(error));
  process.exitCode = 2;
}

function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isExpected =
    error instanceof LabUsageError ||
    error instanceof Problem ||
    ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
  return isExpected ? error.message : (error.stack ?? error.message);
}
