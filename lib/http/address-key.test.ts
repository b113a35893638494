import { expect, it } from 'vitest';
import { addressKey } from './address-key';

it('[G2] counts an IPv4 address by itself', () => {
  expect(addressKey('203.0.113.7')).toBe('203.0.113.7');
});

it.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::2:3:4:5:6', '2001:db8:0:2::/64'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
])('[G2] counts %s with all of %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
