import { UsageError } from '@/scripts/usage-error';
import { Problem } from '../../scripts/infra/problem.mjs';

/**
 * Runs a tool and ends the process. The exit code is the one that `run` returns, 2 when the tool was called wrongly,
 * `failureCode` when it failed, 130 or 143 after a signal. `--help` and unknown flags never get here:
 * `before-command.mjs` answers them before anything is loaded.
 */
export async function runTool(
  run: (args: readonly string[]) => Promise<number>,
  { failureCode = 1 }: { failureCode?: number } = {},
): Promise<never> {
  process.on('SIGINT', () => process.exit(130));
  process.on('SIGTERM', () => process.exit(143));
  try {
    process.exit(await run(process.argv.slice(2)));
  } catch (error) {
    console.error(sentence(error));
    process.exit(error instanceof UsageError ? 2 : failureCode);
  }
}

/** Returns one sentence for an error that the caller can fix, the stack for a bug. */
function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isExpected = error instanceof UsageError || error instanceof Problem;
  return isExpected ? error.message : (error.stack ?? error.message);
}
