import { BlockList, SocketAddress } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNetworkMap } from './network-map';
import { formatNetwork, parseAddress, parseNetwork } from './parse-network';
import { parseSubject } from './parse-subject';

const spelled = (text: string) => {
  const network = parseNetwork(text);
  return network && formatNetwork(network);
};

describe('a network', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/32', '203.0.113.7'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['10.255.255.255/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['::ffff:203.0.113.7/120', '203.0.113.0/24'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['2001:db8:aaaa:bbbb:cccc::/64', '2001:db8:aaaa:bbbb::/64'],
    ['::1', '::1'],
    ['::', '::'],
    ['fe80::1%eth0', 'fe80::1'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
  ])('[G8] %s is kept as %s', (text, kept) => {
    expect(spelled(text)).toBe(kept);
  });

  it.each([
    '',
    'x',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.256',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/8/8',
    '1.2.3.4/-1',
    '1.2.3.4/1e1',
    '1.2.3.4:80',
    '[::1]',
    '::1/129',
    ':::',
    '1::2::3',
    '2001:db8',
    'g::',
    '1'.repeat(100_000),
  ])('[G8] %s is none', (text) => {
    expect(parseNetwork(text)).toBeNull();
  });

  it('[G8] in whatever spelling of an address is the number Node makes of it', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.ipV6(),
          fc.ipV6().map((text) => text.toUpperCase()),
          fc.ipV4(),
        ),
        (text) => {
          const { address } = new SocketAddress({
            address: text,
            family: text.includes(':') ? 'ipv6' : 'ipv4',
          });
          expect(parseAddress(text)).toBe(parseAddress(address));
          expect(parseAddress(spelled(text) ?? '')).toBe(parseAddress(text));
        },
      ),
    );
  });

  it('[G8] is read back from its own spelling, whatever it is', () => {
    const bits = fc.integer({ min: 0, max: 128 });
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }), bits, (number, length) => {
        const value = (number >> BigInt(128 - length)) << BigInt(128 - length);
        expect(parseNetwork(formatNetwork({ value, bits: length }))).toEqual({ value, bits: length });
      }),
    );
  });
});

describe('what may be blocked', () => {
  it.each([
    ['ip', '7.0.0.0/7', 'too_wide'],
    ['ip', '0.0.0.0/0', 'too_wide'],
    ['ip', '::ffff:0:0/96', 'too_wide'],
    ['ip', '::/16', 'too_wide'],
    ['ip', '2000::/15', 'too_wide'],
    ['ip', 'example.com', 'not_a_network'],
    ['user', 'a b', 'not_an_id'],
    ['user', '', 'not_an_id'],
    ['device', '=cmd()', 'not_an_id'],
    ['device', 'd'.repeat(65), 'not_an_id'],
  ] as const)('[G8] not %s %s', (kind, value, problem) => {
    expect(parseSubject(kind, value)).toEqual({ ok: false, problem });
  });

  it.each([
    ['ip', ' 10.1.2.3/8 ', '10.0.0.0/8'],
    ['ip', '2000::/16', '2000::/16'],
    ['user', 'user_01', 'user_01'],
    ['device', 'device_01', 'device_01'],
  ] as const)('[G8] %s %s', (kind, value, kept) => {
    expect(parseSubject(kind, value)).toEqual({ ok: true, value: kept });
  });
});

describe('networks in memory', () => {
  const v4 = fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })).map(([text, bits]) => `${text}/${bits}`);
  const v6 = fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })).map(([text, bits]) => `${text}/${bits}`);

  const isAllowed = (text: string) => parseSubject('ip', text).ok;

  it("[G8] hold the addresses that Node's own list of blocked ones holds", () => {
    // A narrow range of numbers, so that addresses and networks often meet.
    const near = fc
      .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 14, max: 32 }))
      .map(([a, b, bits]) => `10.${a}.0.${b}/${bits}`);
    const address = fc
      .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }))
      .map(([a, b]) => `10.${a}.0.${b}`);
    fc.assert(
      fc.property(
        fc.array(fc.oneof(near, v4, v6).filter(isAllowed), { maxLength: 8 }),
        fc.oneof(address, fc.ipV6()),
        (texts, asked) => {
          const map = createNetworkMap();
          const list = new BlockList();
          for (const text of texts) {
            map.set(text, 10);
            const [net = '', bits] = text.split('/');
            list.addSubnet(net, Number(bits), net.includes(':') ? 'ipv6' : 'ipv4');
          }
          const isMapped = (parseAddress(asked) ?? 0n) >> 32n === 0xffffn;
          const expected = list.check(asked, asked.includes(':') && !isMapped ? 'ipv6' : 'ipv4');
          expect(map.find(asked, 0) !== undefined).toBe(expected);
        },
      ),
    );
  });

  it('[G8] answer with the last moment of those around an address, forget what is lifted, and let it expire', () => {
    const map = createNetworkMap();
    map.set('10.0.0.0/8', 100);
    map.set('10.1.0.0/16', 300);
    map.set('10.1.1.1', 200);
    expect(map.size).toBe(3);
    expect([map.find('10.1.1.1', 0), map.find('10.9.9.9', 0), map.find('11.0.0.1', 0)]).toEqual([
      300,
      100,
      undefined,
    ]);
    expect(map.find('::ffff:10.9.9.9', 0)).toBe(100);
    expect([map.find('10.9.9.9', 99), map.find('10.9.9.9', 100)]).toEqual([100, undefined]);
    map.delete('10.1.0.0/16');
    map.delete('10.1.0.0/16');
    expect([map.size, map.find('10.1.1.1', 0)]).toEqual([2, 200]);
    map.sweep(150);
    expect([map.size, map.find('10.1.1.1', 0)]).toEqual([1, 200]);
    expect(map.find('nonsense', 0)).toBeUndefined();
  });
});
