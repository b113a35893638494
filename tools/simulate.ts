/**
 * `npm run simulate [-- --schedules N] [--seed S] [--bug NAME] [--jobs N]`: runs the life of orders in simulated time
 * over simulated stores, with all the faults that the seed chooses. Exit code 0: every promise was kept; 1: one was
 * broken; 2: called wrongly.
 */
import { runTool } from '@/tools/harness/run-tool';
import { parseSimulateArguments } from '@/tools/simulate/arguments';
import { runJobs } from '@/tools/simulate/run-jobs';
import { describeSimulation, runSimulation, type SimulationReport } from '@/tools/simulate/run-simulation';

await runTool(async (args) => {
  const given = parseSimulateArguments(args);
  const report = await (given.jobs === 1 ? runSimulation(given) : runJobs(import.meta.filename, given));
  if (process.send) await tellParent(report);
  else for (const line of describeSimulation(report)) console.log(line);
  return report.broken.length > 0 ? 1 : 0;
});

/**
 * Sends the report to the parent process. Resolves once it is sent: if the process ended before that, the report
 * would be lost.
 */
function tellParent(report: SimulationReport): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(report, undefined, undefined, (error) => (error ? reject(error) : resolve()));
  });
}
