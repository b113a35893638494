import { expect, it } from 'vitest';
import { loadUserId } from '@/lib/load-test/create-load-users';
import { subjectsOf } from './risk-of';

it('[G10] counts an IPv6 client by its network, and nobody by the address of an undeclared proxy on this machine', () => {
  const ipOf = (address: string | null) => subjectsOf({ userId: 'u', address }).ip;
  expect(ipOf('198.51.100.7')).toBe('198.51.100.7');
  expect(ipOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
  expect([ipOf('127.0.0.1'), ipOf('::1'), ipOf(null)]).toEqual(['', '', '']);
  expect(subjectsOf({ userId: loadUserId(1), address: null }).user).toBe('');
  expect(subjectsOf({ userId: 'u', address: null })).toEqual({ user: 'u', ip: '', device: '' });
});
