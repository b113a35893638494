import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeDb } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { QUICK_RETRIES, startStack } from '@/tools/harness/stack/start-stack';
import type { ChaosArguments } from './arguments';
import { describeFaults, describeRound, repeatCommand } from './report';
import { type RoundReport, runRound } from './run-round';

const WEB_COUNT = 2;

/**
 * Runs rounds against a product of its own until all are done, the time is up or one breaks a promise.
 * @param options as they were given, for the command that repeats a round
 * @returns every round; the last one has the violations, if there are any.
 */
export async function runChaos(
  root: string,
  { rounds, seed, json, faults, place, perRound, loadSec, shoppers, forSec }: ChaosArguments,
  options: readonly string[] = [],
  say: (line: string) => void = console.log,
): Promise<RoundReport[]> {
  // A promoted replica may lack the last writes: a purchase that must survive waits for it.
  const settings = { ...QUICK_RETRIES, ...(place.isCluster ? { STOCK_REPLICAS_ACK: '1' } : {}) };
  const stack = await startStack(root, { webCount: WEB_COUNT, say, settings, ...place });
  const reports: RoundReport[] = [];
  let current = seed;
  const keepLogs = () => {
    const logs = join(root, 'test-results', `chaos-${current}`);
    stack.keepLogs(logs);
    say(`logs are kept in ${logs}`);
  };
  try {
    // Modules of lib read their settings once, at first use. From here on they use the product's settings.
    Object.assign(process.env, stack.env);
    say(
      `the product is up; ${rounds} rounds from seed ${seed}, ${perRound} faults each of ${faults.join(', ')}`,
    );
    const endAt = forSec === null ? Number.POSITIVE_INFINITY : performance.now() + forSec * 1_000;
    for (; current < seed + rounds && performance.now() < endAt; current += 1) {
      const report = await runRound(stack, {
        seed: current,
        loadMs: loadSec * 1_000,
        shoppers,
        faults: { count: perRound, names: faults },
      });
      reports.push(report);
      for (const line of describeRound(report)) say(line);
      if (report.violations.length > 0) {
        keepLogs();
        say(`to repeat it: ${repeatCommand(current, options)}`);
        break;
      }
    }
    if (json) writeFileSync(json, `${JSON.stringify({ seed, rounds: reports }, null, 2)}\n`);
    for (const line of describeFaults(reports)) say(line);
    return reports;
  } catch (error) {
    keepLogs();
    throw error;
  } finally {
    await Promise.allSettled([closeDb(), closeRedis()]);
    await stack.stop();
  }
}
