import { expect, it } from 'vitest';
import { db } from '@/lib/db/client';
import { createLoadUsers, loadUserId } from './create-load-users';

it('makes each load-test user once, also those whose numbers are longer than usual', async () => {
  const numbers = [9_999_999, 10_000_000, 10_000_001];
  await createLoadUsers(10_000_001, 9_999_999);
  await createLoadUsers(10_000_001, 9_999_999);
  const users = await db().user.findMany({ select: { id: true, name: true }, orderBy: { name: 'asc' } });
  const made = numbers.map((n) => ({ id: loadUserId(n), name: `Load test ${n}` }));
  expect(users).toHaveLength(3);
  expect(users).toEqual(expect.arrayContaining(made));
});
