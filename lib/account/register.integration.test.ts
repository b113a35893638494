import { describe, expect, it } from 'vitest';
import { db } from '@/lib/db/client';
import { checkCredentials } from './check-credentials';
import { register, registerSchema } from './register';

const input = { email: 'ann@example.com', password: 'correct horse', name: 'Ann' };

describe('register', () => {
  it('[L4] makes a shopper who can sign in, whatever the case of the address', async () => {
    expect(await register(registerSchema.parse({ ...input, email: ' Ann@Example.COM ' }))).toMatchObject({
      status: 'registered',
    });
    expect(await checkCredentials('ANN@example.com', input.password)).toMatchObject({
      role: 'shopper',
      name: 'Ann',
    });
    expect(await checkCredentials(input.email, 'wrong horse')).toBeNull();
    expect(await checkCredentials('nobody@example.com', input.password)).toBeNull();
    expect(await checkCredentials(input.email, 'x'.repeat(10_000))).toBeNull();
  });

  it('[L4] takes an address once, also when two come at the same time', async () => {
    const both = await Promise.all([1, 2].map(() => register({ ...input, email: 'twin@example.com' })));
    expect(both.map(({ status }) => status).sort()).toEqual(['email_taken', 'registered']);
  });

  it('[L4] never stores the password, and lets nobody banned in', async () => {
    await register({ ...input, email: 'ban@example.com' });
    const { passwordHash } = await db().user.findUniqueOrThrow({ where: { email: 'ban@example.com' } });
    expect(passwordHash).toMatch(/^\$argon2id\$/);
    await db().user.update({ where: { email: 'ban@example.com' }, data: { bannedAt: new Date() } });
    expect(await checkCredentials('ban@example.com', input.password)).toBeNull();
  });

  it.each([
    ['email', 'nonsense'],
    ['email', `${'x'.repeat(250)}@example.com`],
    ['password', 'short'],
    ['password', 'x'.repeat(201)],
    ['name', ' '],
    ['name', 'x'.repeat(101)],
  ])('[L4] refuses %s = %j', (field, value) => {
    expect(registerSchema.safeParse({ ...input, [field]: value }).success).toBe(false);
  });
});
