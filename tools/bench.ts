/** `npm run bench [-- --json FILE] [--quick] [--only NAME]`: BENCHMARKS.md's figures, measured now. */
import { join } from 'node:path';
import { BenchUsageError, parseBenchArguments } from '@/tools/bench/arguments';
import { runBench } from '@/tools/bench/run-bench';

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

try {
  await runBench(join(import.meta.dirname, '..'), parseBenchArguments(process.argv.slice(2)));
  process.exit(0);
} catch (error) {
  const isUsage = error instanceof BenchUsageError;
  console.error(isUsage || !(error instanceof Error) ? String(error) : error.stack);
  process.exit(isUsage ? 2 : 1);
}
