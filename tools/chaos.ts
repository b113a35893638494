/**
 * `npm run chaos [-- --rounds N] [--seed S] [--json FILE]`: runs sales under load, kills, freezes and cuts off
 * processes meanwhile, then compares all books. Exit code 0: every promise was kept; 1: one was broken; 2: called
 * wrongly.
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

/**
 * Returns the flags that decide what happens in a round. Leaves out those that choose the rounds or say where the
 * report goes.
 */
function roundFlags(args: readonly string[]): string[] {
  const which = /^--(rounds|seed|json|for-sec)(=|$)/;
  return args.filter((argument, at) => {
    const before = args[at - 1] ?? '';
    return !which.test(argument) && !(which.test(before) && !before.includes('='));
  });
}
