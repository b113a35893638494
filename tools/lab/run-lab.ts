import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { UsageError } from '@/scripts/usage-error';
import type { LabArguments } from './arguments';
import { contest, type Standing } from './contest';
import { drawChart } from './draw-chart';
import { formatTable } from './format-table';
import { startRacer } from './race';
import { startStores } from './start-stores';
import { verdict } from './verdict';

const PROCESSES = 2;
const MEASURED_ROUNDS = 7;

/**
 * Runs all of `npm run lab`: starts the stores and the racing processes, races every chosen strategy, prints the
 * table and writes the files.
 * @param say prints one line of progress.
 * @returns the exit code: 0 when every strategy behaved as its label says, 1 when one did not.
 * @throws UsageError when a file can't be written, and errors of starting the servers.
 */
export async function runLab(given: LabArguments, say: (line: string) => void): Promise<number> {
  const { course, chosen, rounds } = given;
  // Checks the files now, rather than failing after a minute of racing.
  for (const path of [given.json, given.svg]) if (path) write(path, '', 'a');
  const standings: Standing[] = [];
  const stores = await startStores();
  const racers = Array.from({ length: PROCESSES }, startRacer);
  try {
    say(
      `${course.buyers} buyers race for ${course.units} units, ${course.concurrency} at a time, seed ${course.seed}`,
    );
    for (const strategy of chosen) {
      const standing = await contest(strategy, stores, racers, course, {
        measured: MEASURED_ROUNDS,
        most: rounds,
      });
      standings.push(standing);
      say(`  ${standing.isAsLabelled ? '·' : '!'} ${standing.title}: ${verdict(standing)}`);
    }
  } finally {
    await Promise.all(racers.map((racer) => racer.stop()));
    await stores.stop();
  }
  process.stdout.write(`\n${formatTable(standings)}\n`);
  if (given.json) write(given.json, `${JSON.stringify({ ...about(), course, standings }, null, 2)}\n`);
  if (given.svg) write(given.svg, drawChart(standings, course));
  return standings.every(({ isAsLabelled }) => isAsLabelled) ? 0 : 1;
}

/** Describes the machine and versions of the measurement. */
function about() {
  return {
    date: new Date().toISOString(),
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    node: process.version,
  };
}

function write(path: string, text: string, flag: 'a' | 'w' = 'w'): void {
  try {
    writeFileSync(path, text, { flag });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new UsageError(`${path} cannot be written${code}`);
  }
}
