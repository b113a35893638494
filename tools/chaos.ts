/**
 * `npm run chaos [-- --rounds N] [--seed S] [--json FILE]`: sales under load while processes are killed, frozen and cut
 * off; then all books are compared. Exit code 0: every promise was kept; 1: one was broken; 2: called wrongly.
 */
import { join } from 'node:path';
import { ChaosUsageError, parseChaosArguments } from '@/tools/chaos/arguments';
import { runChaos } from '@/tools/chaos/run-chaos';

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

try {
  const given = process.argv.slice(2);
  const reports = await runChaos(join(import.meta.dirname, '..'), parseChaosArguments(given), others(given));
  const broken = reports.filter(({ violations }) => violations.length > 0).length;
  console.log(`${reports.length} rounds, ${broken} with a broken promise`);
  process.exit(broken > 0 ? 1 : 0);
} catch (error) {
  const isUsage = error instanceof ChaosUsageError;
  console.error(isUsage || !(error instanceof Error) ? String(error) : error.stack);
  process.exit(isUsage ? 2 : 1);
}

/** The options that make a round what it is, without which and how many. */
function others(args: readonly string[]): string[] {
  const which = /^--(rounds|seed|json|for-sec)(=|$)/;
  return args.filter((argument, at) => {
    const before = args[at - 1] ?? '';
    return !which.test(argument) && !(which.test(before) && !before.includes('='));
  });
}
