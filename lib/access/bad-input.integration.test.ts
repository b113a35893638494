import { afterAll, describe, expect, it } from 'vitest';
import { PUT as keepAddress } from '@/app/api/account/address/route';
import { POST as confirm } from '@/app/api/account/confirm/route';
import { POST as remove } from '@/app/api/account/delete/route';
import { POST as changeEmail } from '@/app/api/account/email/route';
import { POST as removePasskey } from '@/app/api/account/factors/passkeys/[passkeyId]/remove/route';
import { POST as addPasskey } from '@/app/api/account/factors/passkeys/add/route';
import { POST as beginPasskey } from '@/app/api/account/factors/passkeys/route';
import { POST as renewCodes } from '@/app/api/account/factors/recovery-codes/route';
import { POST as confirmTotp } from '@/app/api/account/factors/totp/confirm/route';
import { POST as removeTotp } from '@/app/api/account/factors/totp/remove/route';
import { POST as beginTotp } from '@/app/api/account/factors/totp/route';
import { POST as changePassword } from '@/app/api/account/password/route';
import { PATCH as changePreferences } from '@/app/api/account/preferences/route';
import { POST as removePush } from '@/app/api/account/push/remove/route';
import { POST as addPush } from '@/app/api/account/push/route';
import { POST as removeSignIn } from '@/app/api/account/sign-ins/[identityId]/remove/route';
import { POST as joinSignIn } from '@/app/api/account/sign-ins/route';
import { POST as confirmEmail } from '@/app/api/email/confirm/route';
import { POST as stopEmail } from '@/app/api/email/stop/route';
import { POST as verifyEmail } from '@/app/api/email/verify/route';
import { POST as acceptInvitation } from '@/app/api/invitations/accept/route';
import { POST as lookAtInvitation } from '@/app/api/invitations/look/route';
import { POST as forgot } from '@/app/api/password/forgot/route';
import { POST as reset } from '@/app/api/password/reset/route';
import { POST as register } from '@/app/api/register/route';
import { userOfSession } from '@/lib/account/current-user';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import { AREAS } from '@/lib/contract/areas';
import type { Operation } from '@/lib/contract/operation';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { closeRedis } from '@/lib/redis/client';
import { sessionOf } from '@/test/support/call-as';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { makeAccount } from '@/test/support/make-account';

keepMailsApart();
afterAll(() => Promise.all([closeRedis(), closeDb()]));

const LINK = { token: 'nonsense' };
const PRESENT = { currentPassword: 'not this one' };
const CODE = { code: '123456' };

/** Every form and link of accounts, and a body that it reads and whose words are wrong. */
const FORMS: Record<string, [handler: unknown, body: Record<string, unknown>]> = {
  changePassword: [changePassword, { ...PRESENT, newPassword: 'another long one' }],
  askEmailChange: [changeEmail, { ...PRESENT, newEmail: 'other@example.com' }],
  deleteAccount: [remove, PRESENT],
  changePreferences: [changePreferences, { locale: 'xx', timeZone: 'Mars/Olympus' }],
  addPush: [addPush, { endpoint: 'https://push.example.com/1', keys: { p256dh: 'none', auth: 'none' } }],
  removePush: [removePush, { endpoint: 'nowhere' }],
  beginTotp: [beginTotp, PRESENT],
  confirmTotp: [confirmTotp, CODE],
  removeTotp: [removeTotp, { ...PRESENT, ...CODE }],
  renewRecoveryCodes: [renewCodes, CODE],
  beginPasskey: [beginPasskey, PRESENT],
  addPasskey: [addPasskey, { name: 'My phone', passkey: 'none' }],
  removePasskey: [removePasskey, { ...PRESENT, ...CODE }],
  confirmAgain: [confirm, PRESENT],
  joinSignIn: [joinSignIn, { ...PRESENT, locale: 'en' }],
  removeSignIn: [removeSignIn, PRESENT],
  putSavedAddress: [keepAddress, { name: 'Ann', lines: ['1'], country: 'XX' }],
  register: [register, { email: 'nobody', password: 'long enough', name: 'Ann' }],
  verifyEmail: [verifyEmail, LINK],
  confirmEmailChange: [confirmEmail, LINK],
  stopEmailChange: [stopEmail, LINK],
  askPasswordReset: [forgot, { email: 'nobody' }],
  resetPassword: [reset, { ...LINK, newPassword: 'another long one' }],
  lookAtInvitation: [lookAtInvitation, LINK],
  acceptInvitation: [acceptInvitation, { ...LINK, password: 'long enough', name: 'Ann' }],
};
const OPERATIONS = new Map(
  AREAS.flatMap(({ operations }) => operations).map((operation): [string, Operation] => [
    operation.id,
    operation,
  ]),
);
const ABOUT_ACCOUNTS = /^\/api\/(account|email|password|invitations|register)\b/;

const TEXTS = {
  'nothing at all': '',
  blanks: ' \t\u00a0\u3000',
  'a lot': 'x'.repeat(4_000),
  'a zero': 'a\u0000b',
  'half a character': 'a\ud83d',
  Chinese: '密码与通行密钥一二三四',
  Russian: 'пароль и ключ доступа',
  'right to left': '\u202eمرحبا بالعالم\u202c',
  emoji: '🔑👩‍👩‍👧‍👦🔑👩‍👩‍👧‍👦',
  'many accents': `a${'\u0301'.repeat(60)}bcdefgh`,
  'a statement': "'; DROP TABLE users; --",
  'a path': '../../../etc/passwd%2f%00',
} as const;

type Sent = { text: string; cookie?: string; type?: string; site?: string };

/** Sends a text as it is. */
async function send(id: string, { text, cookie, type = 'application/json', site = 'same-origin' }: Sent) {
  const handler = FORMS[id]?.[0] as (request: Request, context: unknown) => Promise<Response>;
  const headers = {
    'sec-fetch-site': site,
    'content-type': type,
    ...(cookie === undefined ? {} : { cookie: `${sessionCookieName()}=${cookie}` }),
  };
  const method = OPERATIONS.get(id)?.method ?? 'POST';
  const request = new Request('http://shop.test/', { method, headers, body: text });
  const params = Promise.resolve({ passkeyId: newId('passkey'), identityId: newId('identity') });
  const answer = await handler(request, { params });
  const { code } = (await answer.json()) as { code?: string };
  return { status: answer.status, code };
}

async function somebody() {
  const { id } = await makeAccount();
  return { id, cookie: await sessionOf(id) };
}
const stateOf = (id: string) => db().user.findUniqueOrThrow({ where: { id } });

it('[N8] every form and link of accounts is looked at', () => {
  const asked = [...OPERATIONS.values()]
    .filter(({ path, body }) => body !== undefined && ABOUT_ACCOUNTS.test(path))
    .map(({ id }) => id);
  expect(Object.keys(FORMS).toSorted()).toEqual(asked.toSorted());
});

describe.each(Object.entries(FORMS))('[N8 N2] %s', (id, [, body]) => {
  it('refuses what it can’t read, what is too large, what others send, and changes nothing', async () => {
    const { id: userId, cookie } = await somebody();
    const before = await stateOf(userId);
    for (const text of ['', '{', 'x', '\ufeff{}'])
      expect(await send(id, { text, cookie }), text).toEqual({ status: 400, code: 'MALFORMED' });
    for (const text of ['null', '[]', '7', '"x"', JSON.stringify(Object.keys(body))])
      expect(await send(id, { text, cookie }), text).toEqual({ status: 422, code: 'VALIDATION' });
    const text = JSON.stringify(body);
    expect(await send(id, { text: JSON.stringify({ ...body, more: 'x'.repeat(20_000) }), cookie })).toEqual({
      status: 413,
      code: 'TOO_LARGE',
    });
    expect([403, 415]).toContain((await send(id, { text, cookie, type: 'text/plain' })).status);
    if (OPERATIONS.get(id)?.who === 'user') {
      expect(await send(id, { text, cookie, site: 'cross-site' })).toEqual({ status: 403, code: 'CSRF' });
      expect(await send(id, { text })).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
      expect(await send(id, { text, cookie: 'nonsense' })).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
    }
    expect(await stateOf(userId)).toEqual(before);
    expect(await userOfSession(cookie)).toMatchObject({ userId });
  });

  it('refuses words of every kind with a code, and changes nothing', async () => {
    const { id: userId, cookie } = await somebody();
    const before = await stateOf(userId);
    for (const [what, word] of Object.entries(TEXTS))
      for (const field of Object.keys(body)) {
        const text = JSON.stringify({ ...body, [field]: word });
        const { status, code } = await send(id, { text, cookie });
        expect(status, `${what} as ${field}: ${code}`).toBeGreaterThanOrEqual(400);
        expect(status, `${what} as ${field}: ${code}`).toBeLessThan(500);
        expect(code).toMatch(/^[A-Z_]+$/);
      }
    expect(await stateOf(userId)).toEqual(before);
    expect(await userOfSession(cookie)).toMatchObject({ userId });
  });
});

it('[L3 N8] a name of any alphabet is kept as it was typed', async () => {
  for (const name of ['李娜', 'Ольга', 'مريم', '👩‍🚀 Ada', "O'Brien; --"]) {
    const email = `${newId('a').toLowerCase()}@example.com`;
    const text = JSON.stringify({ email, password: 'пароль и ключ 密码', name });
    const answer = await send('register', { text });
    expect(answer.status, JSON.stringify(answer)).toBe(201);
    expect(await db().user.findUnique({ where: { email } })).toMatchObject({ name });
  }
});
