import { expect, it } from 'vitest';
import { addressOf } from '@/components/api/request';
import { dayStart } from '../kit/day-start';
import { auditQueryOf, NO_FILTER } from './audit-filter';

it('[L4] asks for whole days of the reader’s own', () => {
  const start = new Date(2030, 0, 31).getTime();
  expect(dayStart('2030-01-31')).toBe(String(start));
  expect(dayStart('2030-01-31', 1)).toBe(String(new Date(2030, 1, 1).getTime()));
  for (const nonsense of ['', 'today', '2030', '2030-01', '0000-00-00']) expect(dayStart(nonsense)).toBe('');
  const query = auditQueryOf({ ...NO_FILTER, from: '2030-01-31' });
  const { searchParams } = new URL(addressOf('GET /api/admin/audit/export', { query }), 'http://shop.test');
  expect([...searchParams]).toEqual([['from', String(start)]]);
});
