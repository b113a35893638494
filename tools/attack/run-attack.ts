import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeDb } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { createRandom, type Random } from '@/tools/harness/random';
import { recruit } from '@/tools/harness/recruit';
import { startStack } from '@/tools/harness/stack/start-stack';
import { type AccountsSize, runAccounts } from './accounts';
import type { AttackArguments, ScenarioName } from './arguments';
import { runCrowd } from './crowd';
import { runDraw } from './draw';
import { runEarlyBirds } from './early-birds';
import { runFlood } from './flood';
import { runHoarders } from './hoarders';
import { runOffice } from './office';
import type { Sides } from './recruit-sides';
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

/** Lines and draws with 10 and with 100 accounts of a farm for each person. */
const FULL_SIDES: readonly Sides[] = [
  { humans: 60, botsPerHuman: 10, devices: 6, addresses: 5 },
  { humans: 40, botsPerHuman: 100, devices: 4, addresses: 4 },
];
const SHORT_SIDES: readonly Sides[] = [{ humans: 20, botsPerHuman: 10, devices: 1, addresses: 1 }];

const FULL_ACCOUNTS: AccountsSize = {
  victims: 1_000,
  passwords: 10,
  addresses: 500,
  owners: 20,
  registrations: 1_000,
  resets: 1_000,
  tokens: 3_000,
  codes: 1_000,
};
const SHORT_ACCOUNTS: AccountsSize = {
  victims: 40,
  passwords: 5,
  addresses: 60,
  owners: 3,
  registrations: 130,
  resets: 60,
  tokens: 300,
  codes: 60,
};

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
      return runWaitingRoom(scene, isShort ? SHORT_SIDES : FULL_SIDES);
    case 'hoarders':
      return runHoarders(scene);
    case 'office':
      return runOffice(scene, isShort ? 40 : 1_000);
    case 'flood':
      return runFlood(scene, isShort ? { people: 20, connections: 16 } : { people: 100, connections: 128 });
    case 'draw':
      return runDraw(scene, isShort ? SHORT_SIDES : FULL_SIDES, { isShort });
    case 'accounts':
      return runAccounts(scene, isShort ? SHORT_ACCOUNTS : FULL_ACCOUNTS);
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
