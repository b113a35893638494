import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient, readGate } from '@/tools/harness/client';
import type { Random } from '@/tools/harness/random';
import { recruit } from '@/tools/harness/recruit';

/** Shared by all scenarios: the shop, and people and addresses that were never used before. */
export type Scene = {
  /** Addresses of all web processes. */
  origins: readonly string[];
  random: Random;
  say: (line: string) => void;
  recruitUsers(count: number): Promise<string[]>;
  newAddress(): string;
  /** Signs an account in at any web process, on a device and an address of its own unless it shares one. */
  client(userId: string, shared?: Partial<Pick<Client, 'address' | 'jar'>>): Promise<Client>;
};

let addresses = 0;

export function createScene(given: Pick<Scene, 'origins' | 'random' | 'say'>): Scene {
  const newAddress = () => {
    addresses += 1;
    return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
  };
  return {
    ...given,
    newAddress,
    async recruitUsers(count) {
      const people = await recruit(Array.from({ length: count }, () => ({ name: 'Somebody' })));
      return people.map(({ userId }) => userId);
    },
    client: (userId, { address = newAddress(), jar = { device: '' } } = {}) =>
      createClient({ userId, origin: given.random.pick(given.origins), address, jar }),
  };
}

/** Signs in so many people, each on a device and an address of their own. */
export async function recruitPeople({ recruitUsers, client }: Scene, count: number): Promise<Client[]> {
  return Promise.all((await recruitUsers(count)).map((userId) => client(userId)));
}

export type FarmSize = { humans: number; botsPerHuman: number; devices: number; addresses: number };

/**
 * Signs in people and the accounts of a farm, which has few devices and addresses.
 * @param hasOwnJars true: the farm keeps a cookie jar for each account, so that each seems to have a device
 */
export async function recruitFarm(
  scene: Scene,
  size: FarmSize,
  hasOwnJars = false,
): Promise<{ humans: Client[]; bots: Client[] }> {
  const jars = Array.from({ length: size.devices }, () => ({ device: '' }));
  const farm = Array.from({ length: size.addresses }, () => scene.newAddress());
  const accounts = await scene.recruitUsers(size.humans * size.botsPerHuman);
  return {
    humans: await recruitPeople(scene, size.humans),
    bots: await Promise.all(
      accounts.map((userId, at) =>
        scene.client(userId, {
          address: farm[at % size.addresses],
          jar: hasOwnJars ? { device: '' } : jars[at % size.devices],
        }),
      ),
    ),
  };
}

/** Says of whom the farm consists. */
export const describeFarm = ({ humans, botsPerHuman, devices, addresses }: FarmSize): string =>
  `${humans * botsPerHuman} accounts of a farm on ${devices} devices and ${addresses} addresses`;

type Shares = { humans: number; bots: number };

/** Counts how many of these users are people. */
export function sharesOf(owners: readonly { userId: string }[], humans: readonly Client[]): Shares {
  const people = new Set(humans.map(({ userId }) => userId));
  const ofHumans = owners.filter(({ userId }) => people.has(userId)).length;
  return { humans: ofHumans, bots: owners.length - ofHumans };
}

export const shareText = ({ humans, bots }: Shares): string => `${humans} : ${bots}`;

const percentOf = ({ humans, bots }: Shares): number =>
  humans + bots === 0 ? 0 : (100 * humans) / (humans + bots);

export const percentText = (units: Shares): string => `${percentOf(units).toFixed(0)} %`;

/** Nine units of ten are for people, however many bots there are. */
export const shareTarget = (units: Shares, { botsPerHuman }: FarmSize) => ({
  what: `units for people with ${botsPerHuman} bots to each`,
  target: '≥ 90 %',
  measured: percentText(units),
  isMet: percentOf(units) >= 90,
});

const GATE_EVERY_MS = 100;

/** Waits until the sale is open, as its page does. @returns the gate */
export async function untilOpen(client: Client, saleId: string, everyMs = GATE_EVERY_MS): Promise<string> {
  for (;;) {
    const gate = await readGate(client, saleId);
    if (gate !== null) return gate;
    await sleep(everyMs);
  }
}
