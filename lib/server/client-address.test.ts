import { describe, expect, it } from 'vitest';
import { clientAddress } from './client-address';

describe('clientAddress', () => {
  it('[A3 G2] believes no more of X-Forwarded-For than our own proxies wrote', () => {
    expect(clientAddress('10.0.0.1', '6.6.6.6', 0)).toBe('10.0.0.1');
    expect(clientAddress('10.0.0.1', '6.6.6.6, 1.2.3.4', 1)).toBe('1.2.3.4');
    expect(clientAddress('10.0.0.1', '6.6.6.6, 1.2.3.4,10.0.0.2', 2)).toBe('1.2.3.4');
    expect(clientAddress('10.0.0.1', '1.2.3.4', 2)).toBe('1.2.3.4');
  });

  it('[G2] is not moved by any number of entries that a client made up', () => {
    const madeUp = Array.from({ length: 1_000 }, (_, n) => `6.6.${n % 256}.6`).join(', ');
    expect(clientAddress('10.0.0.1', `${madeUp}, 1.2.3.4`, 1)).toBe('1.2.3.4');
    expect(clientAddress('10.0.0.1', `${madeUp}, 1.2.3.4, 10.0.0.2, 10.0.0.3`, 3)).toBe('1.2.3.4');
    expect(clientAddress('10.0.0.1', `${','.repeat(10_000)}1.2.3.4`, 1)).toBe('1.2.3.4');
  });

  it.each([
    ['1.2.3.4:5678', '1.2.3.4'],
    ['[2001:db8::1]:5678', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::FFFF:1.2.3.4', '1.2.3.4'],
    ['[::ffff:1.2.3.4]:80', '1.2.3.4'],
    ['fe80::1%eth0', 'fe80::1'],
    ['\t1.2.3.4 ', '1.2.3.4'],
  ])('[G2] reads %j as %s', (written, address) => {
    expect(clientAddress('10.0.0.1', `6.6.6.6, ${written}`, 1)).toBe(address);
    expect(clientAddress(written.trim(), undefined, 0)).toBe(address);
  });

  it.each([
    'unknown',
    '_hidden',
    '',
    ' ',
    ',',
    '1.2.3',
    '1.2.3.4.5',
    '300.1.1.1',
    '01.2.3.4',
    '1.2.3.4:x',
    '-1',
    '::1::2',
    '[::1',
    '2001:db8::zz',
    'localhost',
    '1.2.3.4\0',
    '%',
    `${'1'.repeat(10_000)}`,
    '../../etc',
  ])('[G2] falls back to the peer when its proxy wrote %j', (written) => {
    expect(clientAddress('10.0.0.1', `6.6.6.6, ${written}`, 1)).toBe('10.0.0.1');
  });

  it('[A3] falls back to the peer, or to nobody', () => {
    expect(clientAddress('10.0.0.1', undefined, 1)).toBe('10.0.0.1');
    expect(clientAddress('10.0.0.1', ' ', 1)).toBe('10.0.0.1');
    expect(clientAddress(null, null, 0)).toBeNull();
    expect(clientAddress('/run/socket', null, 0)).toBeNull();
  });

  it('[G2] reads a header of any length once: going back over a megabyte would take hours', () => {
    for (const part of [',', '[', '1.', ':'])
      expect(clientAddress('10.0.0.1', part.repeat(1_000_000), 10)).toBe('10.0.0.1');
  });
});
