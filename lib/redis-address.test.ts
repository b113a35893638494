import { describe, expect, it } from 'vitest';
import { namedHosts, parseRedisUrl } from './redis-address.mjs';

const refusal = (text: string) => {
  try {
    parseRedisUrl(text);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('parseRedisUrl', () => {
  it('[K1] reads one server as before', () => {
    expect(parseRedisUrl('redis://localhost')).toMatchObject({
      kind: 'single',
      hosts: [{ host: 'localhost', port: 6379 }],
      isTls: false,
      db: 0,
    });
    expect(parseRedisUrl('rediss://me:pw@shop.example:7000/3')).toMatchObject({
      kind: 'single',
      hosts: [{ host: 'shop.example', port: 7000 }],
      isTls: true,
      username: 'me',
      db: 3,
    });
  });

  it('[K1] reads a cluster: nodes, user, password, TLS', () => {
    expect(parseRedisUrl('redis+cluster://a:7001,B.example,[::1]:7003')).toMatchObject({
      kind: 'cluster',
      hosts: [
        { host: 'a', port: 7001 },
        { host: 'b.example', port: 6379 },
        { host: '::1', port: 7003 },
      ],
      isTls: false,
      username: undefined,
      password: undefined,
    });
    expect(parseRedisUrl('rediss+cluster://shop:p%40ss:w%2Frd@a:1,b:2/0')).toMatchObject({
      isTls: true,
      username: 'shop',
      password: 'p@ss:w/rd',
      hosts: [
        { host: 'a', port: 1 },
        { host: 'b', port: 2 },
      ],
    });
    expect(parseRedisUrl('redis+cluster://:only@a:1')).toMatchObject({
      username: undefined,
      password: 'only',
    });
  });

  it('[K1] reads Sentinels: their hosts, the name, the database, their own password', () => {
    expect(
      parseRedisUrl(
        'redis+sentinel://shop:pw@s1:26379,s2/main.stock/2?sentinelUsername=w&sentinelPassword=a%26b',
      ),
    ).toEqual({
      kind: 'sentinel',
      hosts: [
        { host: 's1', port: 26379 },
        { host: 's2', port: 26379 },
      ],
      isTls: false,
      username: 'shop',
      password: 'pw',
      db: 2,
      masterName: 'main.stock',
      sentinelUsername: 'w',
      sentinelPassword: 'a&b',
    });
    expect(parseRedisUrl('rediss+sentinel://s1/m').isTls).toBe(true);
  });

  it.each([
    ['', /^must be a URL that starts with redis:\/\//],
    ['localhost:6379', /^must be a URL that starts with/],
    ['http://a:1', /^must be a URL that starts with/],
    ['redis+clusters://a:1', /^must be a URL that starts with/],
    ['redis://a:1,b:2', /^must be a URL that starts with/],
    ['redis://a,b', /^must name one server, or begin as redis\+cluster/],
    ['redis+cluster://', /^must name its hosts as redis\+cluster:/],
    ['redis+cluster://a:1,,b:2', /^must name its hosts as/],
    ['redis+cluster://a:1,redis+cluster://b:2', /^must name its hosts as/],
    ['redis+cluster://a b:1', /^must name its hosts as/],
    ['redis+cluster://a:1,[::1:2', /^must name its hosts as/],
    [`redis+cluster://${'a'.repeat(254)}:1`, /^must name its hosts as/],
    ['redis+cluster://a:0', /^must have ports from 1 to 65535: that of a is not one$/],
    ['redis+cluster://a:65536', /^must have ports/],
    ['redis+cluster://a:x', /^must have ports/],
    ['redis+cluster://a:', /^must have ports/],
    ['redis+cluster://a:1.5', /^must have ports/],
    ['redis+cluster://a:1,A:1', /^must not name a host twice: a:1$/],
    ['redis+sentinel://a,a:26379/m', /^must not name a host twice: a:26379$/],
    ['redis+cluster://a:1/2', /^must name no database/],
    ['redis+cluster://a:1?sentinelPassword=x', /^must have no options behind its \?$/],
    ['redis+sentinel://a:1', /^must end with the name by which the Sentinels know the primary/],
    ['redis+sentinel://a:1/', /^must end with the name/],
    ['redis+sentinel://a:1/two words', /^must end with the name/],
    ['redis+sentinel://a:1/m/one', /^must have a number as its database/],
    ['redis+sentinel://a:1/m/1/2', /^must have a number as its database/],
    ['redis+sentinel://a:1/m?db=1', /^must have no options behind its \? other than sentinelUsername and/],
    ['redis+cluster://me:%zz@a:1', /^must have its user and password percent-encoded/],
    [`redis+cluster://${'a:1,'.repeat(2_000)}b`, /^must have at most 4096 characters$/],
    [
      `redis+cluster://${Array.from({ length: 51 }, (_, i) => `h${i}`).join(',')}`,
      /^must name at most 50 hosts$/,
    ],
  ])('[K1] refuses %s', (text, sentence) => {
    expect(refusal(text)).toMatch(sentence);
  });

  it('[K1] repeats no password', () => {
    for (const text of ['redis+cluster://:geheim@a:x', 'redis+sentinel://:geheim@a', 'redis://:geheim@a,b'])
      expect(refusal(text)).not.toContain('geheim');
  });

  it('names the hosts for a person', () => {
    expect(namedHosts(parseRedisUrl('redis+cluster://:pw@a:1,b:2'))).toBe('a:1, b:2');
  });
});
