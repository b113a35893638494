/**
 * `npm run bench [-- --json FILE] [--compare FILE] [--quick] [--only NAME,…] [--profile DIR]`: measures the figures of
 * BENCHMARKS.md now.
 */
import { join } from 'node:path';
import { parseBenchArguments } from '@/tools/bench/arguments';
import { runBench } from '@/tools/bench/run-bench';
import { runTool } from '@/tools/harness/run-tool';

await runTool(async (args) => {
  await runBench(join(import.meta.dirname, '..'), parseBenchArguments(args));
  return 0;
});
