import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeDb } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { createRandom } from '@/tools/harness/random';
import { QUICK_RETRIES, startStack } from '@/tools/harness/stack/start-stack';
import type { AttackArguments, ScenarioName } from './arguments';
import { runCrowd } from './crowd';
import { runDraw } from './draw';
import { runFlood } from './flood';
import { runHoarders } from './hoarders';
import { runOffice } from './office';
import { describeScenario, type ScenarioReport } from './report';
import { createScene, type Scene } from './scene';
import { runWaitingRoom } from './waiting-room';

const WEB_COUNT = 2;
const FARM = { humans: 60, botsPerHuman: 10, devices: 6, addresses: 5 };

/** Runs scenarios against a product of its own, and prints each. @returns the reports */
export async function runAttack(
  root: string,
  { scenarios, seed, json, isShort }: AttackArguments,
  say: (line: string) => void = console.log,
): Promise<ScenarioReport[]> {
  // The clients have addresses of their own, as they would behind a proxy. Which challenges there are must not depend on
  // how busy this machine is.
  const settings = { ...QUICK_RETRIES, TRUST_PROXY: '1', SHED_ABOVE: 'off' };
  const stack = await startStack(root, { webCount: WEB_COUNT, say, settings });
  const reports: ScenarioReport[] = [];
  try {
    // Modules of lib read their settings once, at first use. From here on they use the product's settings.
    Object.assign(process.env, stack.env);
    const origins = stack.webs.map(({ origin }) => origin);
    for (const name of scenarios) {
      const scene = createScene({ origins, say, random: createRandom(seed).fork(name) });
      const report = await run(name, scene, isShort);
      reports.push(report);
      for (const line of describeScenario(report)) say(line);
    }
    if (json) writeFileSync(json, `${JSON.stringify({ seed, scenarios: reports }, null, 2)}\n`);
    return reports;
  } catch (error) {
    const logs = join(root, 'test-results', `attack-${seed}`);
    stack.keepLogs(logs);
    say(`logs are kept in ${logs}`);
    throw error;
  } finally {
    await Promise.allSettled([closeDb(), closeRedis()]);
    await stack.stop();
  }
}

function run(name: ScenarioName, scene: Scene, isShort: boolean): Promise<ScenarioReport> {
  switch (name) {
    case 'crowd': {
      const short = { humans: 6, botsPerHuman: 10, devices: 2, addresses: 2, calculations: 6 };
      return runCrowd(scene, isShort ? short : { ...FARM, calculations: 30 }, isShort);
    }
    case 'waiting-room': {
      const short = { humans: 20, botsPerHuman: 5, devices: 2, addresses: 2 };
      return runWaitingRoom(scene, isShort ? short : FARM);
    }
    case 'hoarders':
      return runHoarders(scene);
    case 'office':
      return runOffice(scene, isShort ? 40 : 1_000);
    case 'flood':
      return runFlood(scene, isShort ? { people: 20, connections: 16 } : { people: 100, connections: 128 });
    case 'draw': {
      const short = { humans: 20, botsPerHuman: 10, devices: 1, addresses: 1 };
      return runDraw(scene, isShort ? short : FARM, isShort);
    }
  }
}
