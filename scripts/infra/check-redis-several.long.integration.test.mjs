import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster } from '../../test/support/start-cluster';
import { startSentinels } from '../../test/support/start-sentinels';
import { checkRedis } from './check-redis.mjs';
import { checkServers } from './check-servers.mjs';
import { anyFreePort } from './ports.mjs';

let cluster;
let sentinels;

beforeAll(async () => {
  [cluster, sentinels] = await Promise.all([startCluster(), startSentinels({ password: 'geheim' })]);
});
afterAll(() => Promise.all([cluster.stop(), sentinels.stop()]));

/** Returns the reason, which stands between the brackets of the one sentence; or the whole sentence. */
async function refusal(url) {
  const message = await checkRedis(url, 'REDIS_URL').then(
    (warnings) => ['accepted', ...warnings].join('; '),
    (error) => error.message,
  );
  expect(message).not.toContain('geheim');
  const [, reason] =
    /^Redis at [\w.-]+:\d+ can't be used \((.*)\): correct REDIS_URL, or unset it to use the embedded Redis\.$/.exec(
      message,
    ) ?? [];
  return reason ?? message;
}

const at = (i) => `127.0.0.1:${cluster.port(i)}`;
const keysLeft = async () => {
  const counts = await Promise.all([0, 1, 2].map((i) => cluster.admin(i).dbsize()));
  return counts.reduce((sum, count) => sum + count, 0);
};

describe('a cluster of the user’s', () => {
  it('[K1 L1] that will do leaves nothing behind; one node of the address is enough', async () => {
    expect(await refusal(cluster.url)).toBe('accepted');
    expect(await keysLeft()).toBe(0);
    const nobody = `127.0.0.1:${await anyFreePort()}`;
    expect(await refusal(`redis+cluster://${nobody},${at(4)}`)).toMatch(
      /^accepted; Redis at 127\.0\.0\.1:\d+ can't be used \(nothing answers there\)/,
    );
    expect(await refusal(`redis+cluster://${nobody}`)).toBe('nothing answers there');
    expect(await checkServers({ REDIS_URL: cluster.url }, () => {})).toBe(
      `Redis at ${[0, 1, 2, 3, 4, 5].map(at).join(', ')}`,
    );
  });

  it('[K1 L1] is called by its right name', async () => {
    expect(await refusal(`redis://${at(0)}`)).toBe(
      'it is part of a cluster: write redis+cluster://host:port,host:port',
    );
    expect(await refusal(`redis+sentinel://${at(0)}/stock`)).toBe(
      'that is no Sentinel: name the Sentinels, or write redis://host:port',
    );
    expect(await refusal('redis+cluster://a:0')).toBe(
      'REDIS_URL must have ports from 1 to 65535: that of a is not one: correct it, or unset it to use the embedded Redis.',
    );
  });

  it('[K1 L1] names what would lose purchases, and the primary that is set so', async () => {
    await cluster.admin(1).config('SET', 'appendfsync', 'everysec');
    for (let i = 0; i < 6; i += 1) await cluster.admin(i).config('SET', 'maxmemory-policy', 'allkeys-lru');
    await cluster.admin(0).config('SET', 'cluster-require-full-coverage', 'yes');
    expect((await checkRedis(cluster.url, 'REDIS_URL')).sort()).toEqual(
      [
        `appendfsync is everysec, should be always at ${at(1)}`,
        `cluster-require-full-coverage is yes, should be no at ${at(0)}`,
        ...[0, 1, 2].map((i) => `maxmemory-policy is allkeys-lru, should be noeviction at ${at(i)}`),
      ].sort(),
    );
    // Its replica may take over one day.
    for (let i = 0; i < 5; i += 1) await cluster.admin(i).config('SET', 'maxmemory-policy', 'noeviction');
    expect(await refusal(cluster.url)).toBe(
      `Redis at ${at(5)} can't be used (its maxmemory-policy is allkeys-lru, and that of others is not): set maxmemory-policy noeviction on every server of REDIS_URL, or unset it to use the embedded Redis.`,
    );
    await cluster.admin(5).config('SET', 'maxmemory-policy', 'noeviction');
    await cluster.admin(2).config('SET', 'requirepass', 'geheim');
    expect(await refusal(cluster.url)).toBe('it wants a password: write redis+cluster://:PASSWORD@host:port');
    await cluster.admin(2).config('SET', 'requirepass', '');
  });

  it('[K1 L1] is one: no address names nodes of two', async () => {
    const alone = await startCluster({ primaries: 1 });
    try {
      expect(await refusal(`redis+cluster://${at(1)},127.0.0.1:${alone.port(0)}`)).toBe(
        `REDIS_URL names servers of two clusters, ${at(1)} and 127.0.0.1:${alone.port(0)}: leave those of one, or unset it to use the embedded Redis.`,
      );
    } finally {
      await alone.stop();
    }
  });

  it('[K1 L1] is whole: no slot without a server', async () => {
    await cluster.admin(0).cluster('DELSLOTS', 0);
    expect(await refusal(`redis+cluster://${at(0)}`)).toMatch(
      /^1 of the cluster's 16384 slots belong to no server: assign them/,
    );
    await cluster.admin(0).cluster('ADDSLOTS', 0);
    await cluster.kill(2 + 3);
    await cluster.kill(2);
    await expect
      .poll(() => refusal(`redis+cluster://${at(0)}`))
      .toMatch(/^the cluster says cluster_state:\w+, and \d+ of its slots have no primary that answers/);
  });
});

describe('Sentinels of the user’s', () => {
  it('[K1 L1] that know the primary will do', async () => {
    expect(await refusal(sentinels.url)).toBe('accepted');
    expect(await sentinels.admin(0).dbsize()).toBe(0);
    const [port] = sentinels.sentinelPorts;
    expect(await refusal(`redis+sentinel://127.0.0.1:${port}/stock`)).toBe(
      'it wants a password: write redis+sentinel://:PASSWORD@host:port',
    );
    expect(await refusal(`redis+sentinel://:geheim@127.0.0.1:${port}/other`)).toBe(
      'this Sentinel knows no primary called other, but stock',
    );
    expect(await refusal(`redis://127.0.0.1:${port}`)).toBe(
      'that is a Sentinel: write redis+sentinel://host:port/NAME',
    );
    expect(await refusal(`redis+cluster://127.0.0.1:${port}`)).toBe(
      'that is a Sentinel: write redis+sentinel://host:port/NAME',
    );
    const replica = sentinels.admin(1);
    await replica.config('SET', 'maxmemory-policy', 'volatile-ttl');
    expect(await refusal(sentinels.url)).toMatch(
      /its maxmemory-policy is volatile-ttl, and that of others is not/,
    );
    await replica.config('SET', 'maxmemory-policy', 'noeviction');
    const nobody = await anyFreePort();
    expect(await refusal(`redis+sentinel://127.0.0.1:${nobody}/stock`)).toBe('nothing answers there');
    expect(await refusal(`redis+sentinel://:geheim@127.0.0.1:${nobody},127.0.0.1:${port}/stock`)).toMatch(
      /^accepted; Redis at 127\.0\.0\.1:\d+ can't be used \(nothing answers there\)/,
    );
  });

  it('[K1 L1] agree about the primary: under one name no two watch different servers', async () => {
    const [first, , third] = sentinels.sentinelPorts;
    const admin = new Redis(third);
    await admin.call('SENTINEL', 'REMOVE', 'stock');
    await admin.call('SENTINEL', 'MONITOR', 'stock', '127.0.0.1', cluster.port(0), 2);
    admin.disconnect();
    expect(await refusal(sentinels.url)).toMatch(
      new RegExp(
        `^REDIS_URL names Sentinels that disagree: for 127.0.0.1:${first} the primary stock is .*, for 127.0.0.1:${third} it is ${at(0)}: leave those that watch one, or unset it`,
      ),
    );
  });
});
