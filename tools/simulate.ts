/**
 * `npm run simulate [-- --schedules N] [--seed S] [--bug NAME] [--jobs N]`: the life of orders in simulated time over
 * simulated stores, with everything going wrong that the seed says. Exit code 0: every promise was kept; 1: one was broken;
 * 2: called wrongly.
 */
import { parseSimulateArguments, SimulateUsageError } from '@/tools/simulate/arguments';
import { runJobs } from '@/tools/simulate/run-jobs';
import { describeSimulation, runSimulation } from '@/tools/simulate/run-simulation';

try {
  const given = parseSimulateArguments(process.argv.slice(2));
  const report = await (given.jobs === 1 ? runSimulation(given) : runJobs(import.meta.filename, given));
  if (process.send) process.send(report);
  else for (const line of describeSimulation(report)) console.log(line);
  process.exitCode = report.broken.length > 0 ? 1 : 0;
} catch (error) {
  const isUsage = error instanceof SimulateUsageError;
  console.error(isUsage || !(error instanceof Error) ? String(error) : error.stack);
  process.exitCode = isUsage ? 2 : 1;
}
