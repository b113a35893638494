import type { Redis } from 'ioredis';
import { afterAll, expect, it } from 'vitest';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { createRandom } from '@/tools/harness/random';
import { calmModules } from '../testing/calm-modules';

afterAll(closeRedis);

const GROUP = 'relay';
const STEPS = 60;

/** The entry ids of one side, oldest first. Each side has a clock of its own, so the ids differ. */
type Side = { redis: Redis; ids: string[] };
type Command = (side: Side) => Promise<unknown>;

it('[E2 E3] the simulated stream, groups and sets answer as a real Redis does', async () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const random = createRandom(seed);
    const real: Side = { redis: stockRedis() as Redis, ids: [] };
    const simulated: Side = { redis: calmModules().modules['lib/redis/client'].stockRedis(), ids: [] };
    const key = `simulated:{${process.pid}_${seed}}`;
    const trail: string[] = [];
    for (let nth = 0; nth < STEPS; nth += 1) {
      const { name, command } = nextCommand(random, key, nth);
      const [expected, actual] = [await answerOf(real, command), await answerOf(simulated, command)];
      trail.push(name);
      expect({ seed, trail, answer: actual }).toEqual({ seed, trail, answer: expected });
    }
  }
});

function nextCommand(random: ReturnType<typeof createRandom>, key: string, nth: number) {
  const [consumer, count] = [random.pick(['a', 'b']), random.int(1, 3)];
  const [first, second] = [random.int(0, 20), random.int(0, 20)];
  const some = ({ ids }: Side) => [ids[first], ids[second]].map((id) => id ?? '1-1');
  const streams = ['STREAMS', key, '>'] as const;
  const commands: Record<string, Command> = {
    add: async (side) => {
      side.ids.push(String(await side.redis.xadd(key, '*', 'nth', nth, 'jti', 'x')));
      return 'added';
    },
    group: ({ redis }) => redis.xgroup('CREATE', key, GROUP, '0', 'MKSTREAM'),
    read: ({ redis }) => redis.xreadgroup('GROUP', GROUP, consumer, 'COUNT', count, ...streams),
    acknowledge: (side) =>
      side.redis
        .multi()
        .xack(key, GROUP, ...some(side))
        .xdel(key, ...some(side))
        .exec(),
    claim: (side) => side.redis.xclaim(key, GROUP, consumer, 0, ...some(side), 'JUSTID'),
    takeOver: async ({ redis }) =>
      ((await redis.xautoclaim(key, GROUP, consumer, 0, '0', 'COUNT', count)) as unknown[])[1],
    idle: async ({ redis }) =>
      ((await redis.xautoclaim(key, GROUP, consumer, 3_600_000, '0', 'COUNT', 9)) as unknown[])[1],
    range: ({ redis }) => redis.xrange(key, '-', '+', 'COUNT', count),
    rest: (side) => side.redis.xrange(key, `(${some(side)[0]}`, '+', 'COUNT', 99),
    length: ({ redis }) => redis.xlen(key),
    join: ({ redis }) => redis.sadd(`${key}:set`, consumer),
    leave: ({ redis }) => redis.srem(`${key}:set`, consumer),
    members: async ({ redis }) => (await redis.smembers(`${key}:set`)).sort(),
    lose: async ({ redis, ids }) => {
      // A new stream may give the id of an old entry to another one.
      ids.fill('1-1');
      return redis.unlink(key);
    },
  };
  const weights = {
    add: 14,
    group: 3,
    read: 10,
    acknowledge: 8,
    claim: 4,
    takeOver: 4,
    idle: 1,
    range: 2,
    rest: 3,
  };
  const others = { length: 2, join: 1, leave: 1, members: 1, lose: 0.5 };
  const name = nth === 0 ? 'group' : random.weighted<string>({ ...weights, ...others });
  return { name, command: commands[name] as Command };
}

/** Runs a command and returns its answer, with positions instead of the side's own ids, and codes instead of errors. */
async function answerOf(side: Side, command: Command): Promise<unknown> {
  let answer: unknown;
  try {
    answer = await command(side);
  } catch (error) {
    answer = String(error instanceof Error ? error.message : error).split(' ')[0];
  }
  const text = JSON.stringify(answer ?? null);
  return JSON.parse(side.ids.reduce((all, id, place) => all.replaceAll(`"${id}"`, `"entry ${place}"`), text));
}
