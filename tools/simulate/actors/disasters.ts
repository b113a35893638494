import type { World } from '../world';

/**
 * Makes the troubles that concern more than one call: parts that can't be reached for a while, and a Redis that loses
 * its contents.
 */
export async function runDisasters(world: World): Promise<void> {
  const { profile, time } = world;
  const random = world.random.fork('disasters');
  const downs = {
    redis: profile.redisDownSec,
    postgres: profile.postgresDownSec,
    executor: profile.executorDownSec,
  };
  for (const [part, sec] of Object.entries(downs) as [keyof typeof downs, number][]) {
    if (sec > 0) time.after(random.next() * profile.troubleSec * 1_000, () => world.takeDown(part, sec));
  }
  for (let nth = 0; nth < profile.redisLosses; nth += 1) {
    await time.sleep(random.next() * profile.troubleSec * 500);
    // If the limit is above one unit per user, Postgres does not know it. Then an older copy may sell above the limit
    // until it is noticed. Nor does it know that of a campaign.
    const isKnown = profile.limit === 1 && !world.has('campaign');
    const isOlder = isKnown && random.chance(0.6);
    const server = world.servers === 1 ? 0 : random.int(0, world.servers - 1);
    const copy = isOlder ? world.redis.copy(server) : null;
    await time.sleep(random.next() * 5_000);
    if (world.isWell) return;
    world.redis.becomes(copy, server);
    world.count(copy ? 'redis older' : 'redis empty');
    world.tell('redis', copy ? 'is an older copy of itself' : `has lost everything of server ${server}`);
  }
}
