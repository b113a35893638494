import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeDb } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { createRandom, type Random } from '@/tools/harness/random';
import { recruit } from '@/tools/harness/recruit';
import { startStack } from '@/tools/harness/stack/start-stack';
import type { AttackArguments, ScenarioName } from './arguments';
import { runCrowd } from './crowd';
import { runDraw } from './draw';
import { runEarlyBirds } from './early-birds';
import { runFlood } from './flood';
import { runHoarders } from './hoarders';
import { runOffice } from './office';
import { describeScenario, type ScenarioReport } from './report';
import { runWaitingRoom } from './waiting-room';

/** Shared by all scenarios: the shop, and people and addresses that were never used before. */
export type Scene = {
  /** Addresses of all web processes. */
  origins: readonly string[];
  random: Random;
  say: (line: string) => void;
  recruitUsers(count: number): Promise<string[]>;
  newAddress(): string;
};

const WEB_COUNT = 2;

/** Runs scenarios against a product of its own, and prints each. @returns the reports */
export async function runAttack(
  root: string,
  { scenarios, seed, json, isShort }: AttackArguments,
  say: (line: string) => void = console.log,
): Promise<ScenarioReport[]> {
  // The clients have addresses of their own, as they would behind a proxy. Which challenges there are must not depend on
  // how busy this machine is.
  const settings = { TRUST_PROXY: '1', SHED_ABOVE: 'off' };
  const stack = await startStack(root, { webCount: WEB_COUNT, say, settings });
  const reports: ScenarioReport[] = [];
  try {
    // Modules of lib read their settings once, at first use. From here on they use the product's settings.
    Object.assign(process.env, stack.env);
    const people = createScene(
      stack.webs.map(({ origin }) => origin),
      say,
    );
    for (const name of scenarios) {
      const report = await run(name, { ...people, random: createRandom(seed).fork(name) }, isShort);
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
    case 'early-birds':
      return runEarlyBirds(scene);
    case 'crowd': {
      const size = isShort
        ? { humans: 6, botsPerHuman: 10, devices: 2, addresses: 2, calculations: 6 }
        : { humans: 60, botsPerHuman: 10, devices: 6, addresses: 5, calculations: 30 };
      return runCrowd(scene, size, { isShort });
    }
    case 'waiting-room':
      return runWaitingRoom(
        scene,
        isShort
          ? { humans: 20, botsPerHuman: 5, devices: 2, addresses: 2 }
          : { humans: 60, botsPerHuman: 10, devices: 6, addresses: 5 },
      );
    case 'hoarders':
      return runHoarders(scene);
    case 'office':
      return runOffice(scene, isShort ? 40 : 1_000);
    case 'flood':
      return runFlood(scene, isShort ? { people: 20, connections: 16 } : { people: 100, connections: 128 });
    case 'draw': {
      const size = isShort
        ? { humans: 20, botsPerHuman: 10, devices: 1, addresses: 1 }
        : { humans: 60, botsPerHuman: 10, devices: 6, addresses: 5 };
      return runDraw(scene, size, { isShort });
    }
  }
}

function createScene(origins: readonly string[], say: (line: string) => void): Omit<Scene, 'random'> {
  let addresses = 0;
  return {
    origins,
    say,
    async recruitUsers(count) {
      const people = await recruit(Array.from({ length: count }, () => ({ name: 'Somebody' })));
      return people.map(({ userId }) => userId);
    },
    newAddress() {
      addresses += 1;
      return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
    },
  };
}
