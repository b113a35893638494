/**
 * `npm run lab [-- --only NAME,… --json FILE --svg FILE --buyers N --units N --concurrency N --seed N --rounds N]`:
 * runs every way to deduct stock, right and wrong, in the same race on servers of its own. Exit code 0: each behaved
 * as its label says; 1: one did not; 2: could not be run.
 */
import { runTool } from '@/tools/harness/run-tool';
import { parseLabArguments } from '@/tools/lab/arguments';
import { runLab } from '@/tools/lab/run-lab';

await runTool((args) => runLab(parseLabArguments(args), (line) => process.stderr.write(`${line}\n`)), {
  failureCode: 2,
});
