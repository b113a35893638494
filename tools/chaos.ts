/**
 * `npm run chaos [-- --rounds N] [--seed S] [--json FILE]`: sales under load while processes are killed, frozen and cut
 * off; then all books are compared. Exit code 0: every promise was kept; 1: one was broken; 2: called wrongly.
 */
import { join } from 'node:path';
import { parseChaosArguments } from '@/tools/chaos/arguments';
import { runChaos } from '@/tools/chaos/run-chaos';
import { runTool } from '@/tools/harness/run-tool';

await runTool(async (args) => {
  const reports = await runChaos(
    join(import.meta.dirname, '..'),
    parseChaosArguments(args),
    roundFlags(args),
  );
  const broken = reports.filter(({ violations }) => violations.length > 0).length;
  console.log(`${reports.length} rounds, ${broken} with a broken promise`);
  return broken > 0 ? 1 : 0;
});

/** The flags that make a round what it is; those that say which rounds, and where the report goes, are left out. */
function roundFlags(args: readonly string[]): string[] {
  const which = /^--(rounds|seed|json|for-sec)(=|$)/;
  return args.filter((argument, at) => {
    const before = args[at - 1] ?? '';
    return !which.test(argument) && !(which.test(before) && !before.includes('='));
  });
}
