import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { registration } from '@/lib/contract/shapes/account';
import { db } from '@/lib/db/client';
import { checkCredentials } from './check-credentials';
import { register } from './register';
import { rememberLocale } from './remember-locale';

const input = { email: 'ann@example.com', password: 'correct horse', name: 'Ann', locale: 'en' as const };

const localeOf = async (email: string) => (await db().user.findUniqueOrThrow({ where: { email } })).locale;

describe('register', () => {
  it('[L4] makes a shopper who can sign in, whatever the case of the address', async () => {
    expect(await register(registration.parse({ ...input, email: ' Ann@Example.COM ' }))).toMatchObject({
      status: 'registered',
    });
    expect(await checkCredentials('ANN@example.com', input.password)).toMatchObject({
      status: 'right',
      user: { role: 'shopper', name: 'Ann' },
    });
    for (const [email, password] of [
      [input.email, 'wrong horse'],
      ['nobody@example.com', input.password],
      [input.email, 'x'.repeat(10_000)],
    ] as const)
      expect(await checkCredentials(email, password)).toMatchObject({ status: 'wrong' });
  });

  it('[N8] gives nobody more than an account, whatever is sent along', async () => {
    const email = 'climber@example.com';
    const more = {
      role: 'admin',
      level: 9,
      emailVerifiedAt: 1,
      isDemo: true,
      sessionVersion: 7,
      id: 'user_1',
    };
    await register(registration.parse({ ...input, ...more, email }));
    const user = await db().user.findUniqueOrThrow({ where: { email } });
    expect(user).toMatchObject({ role: 'shopper', level: 0, emailVerifiedAt: null, isDemo: false });
    expect(user).toMatchObject({ sessionVersion: 0, id: expect.not.stringMatching(/^user_1$/) });
  });

  it('[N8] takes a password as it is typed, of any signs, up to 200, and hashes it at its full cost', async () => {
    const email = 'exact@example.com';
    const password = ` Päss wörd 密码 🙂${'x'.repeat(100)} `;
    await register(registration.parse({ ...input, email, password }));
    expect(await checkCredentials(email, password)).toMatchObject({ status: 'right' });
    for (const other of [password.trim(), password.toLowerCase(), password.slice(0, 72)])
      expect(await checkCredentials(email, other), other).toMatchObject({ status: 'wrong' });
    const { passwordHash } = await db().user.findUniqueOrThrow({ where: { email } });
    expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    for (const plain of [
      'aaaaaaaa',
      '        ',
      '12345678',
      '密码密码密码密码',
      'x'.repeat(64),
      'x'.repeat(200),
    ])
      expect(registration.safeParse({ ...input, password: plain }).success, plain).toBe(true);
  });

  it('[N2] composed and decomposed letters are the same password, also where an older hash is of one spelling', async () => {
    const composed = 'Crème brûlée für Zoë';
    const decomposed = composed.normalize('NFD');
    // As the Vietnamese keyboard of Windows types it: in part.
    const mixed = 'Cre\u0300me bru\u0302lée für Zoë';
    const signsIn = async (email: string, password: string) =>
      (await checkCredentials(email, password)).status === 'right';
    for (const [nth, typed] of [composed, decomposed, mixed].entries()) {
      const email = `composed${nth}@example.com`;
      await register(registration.parse({ ...input, email, password: typed }));
      for (const again of [composed, decomposed, mixed]) expect(await signsIn(email, again)).toBe(true);
      expect(await signsIn(email, 'Creme brulee fur Zoe')).toBe(false);
      const passwordHash = await hash(typed);
      await db().user.update({ where: { email }, data: { passwordHash } });
      expect(await signsIn(email, typed)).toBe(true);
      if (typed !== mixed)
        for (const again of [composed, decomposed, mixed]) expect(await signsIn(email, again)).toBe(true);
    }
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
    expect(await checkCredentials('ban@example.com', input.password)).toMatchObject({ status: 'wrong' });
  });

  it('[I3] mails are in the language of the page of registration, then of the latest sign-in', async () => {
    const { locale: _locale, ...plain } = input;
    await register(registration.parse({ ...plain, email: 'plain@example.com' }));
    expect(await localeOf('plain@example.com')).toBe('en');
    const email = 'li@example.com';
    await register(registration.parse({ ...input, email, locale: 'zh-CN' }));
    expect(await localeOf(email)).toBe('zh-CN');
    const user = async () => db().user.findUniqueOrThrow({ where: { email } });
    for (const nonsense of [undefined, '', 'xx', 'zh', 7, ['en']])
      await rememberLocale(await user(), nonsense);
    expect(await localeOf(email)).toBe('zh-CN');
    await rememberLocale(await user(), 'en');
    expect(await localeOf(email)).toBe('en');
  });

  it.each([
    ['email', 'nonsense'],
    ['email', `${'x'.repeat(250)}@example.com`],
    ['password', 'short'],
    ['password', 'x'.repeat(201)],
    ['name', ' '],
    ['name', 'x'.repeat(101)],
    ['locale', 'xx'],
  ])('[L4] refuses %s = %j', (field, value) => {
    expect(registration.safeParse({ ...input, [field]: value }).success).toBe(false);
  });
});
