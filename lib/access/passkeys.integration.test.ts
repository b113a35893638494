import { sign, X509Certificate } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { POST as postAdd } from '@/app/api/account/factors/passkeys/add/route';
import { POST as postAuth } from '@/app/api/auth/[...nextauth]/route';
import { selfSigned } from '@/deploy/nginx/testing/self-signed';
import { userOfSession } from '@/lib/account/current-user';
import { listFactors } from '@/lib/account/factors/list-factors';
import { MAX_PASSKEYS } from '@/lib/account/factors/list-passkeys';
import { handleOf } from '@/lib/account/factors/spend-passkey';
import { totpCode } from '@/lib/account/factors/totp';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import type { CurrentUser } from '@/lib/account/types';
import { closeDb, db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { takeEvents } from '@/lib/security/note-event';
import { callWith, sessionOf } from '@/test/support/call-as';
import { lengthenWaits } from '@/test/support/lengthen-waits';
import { makeAccount, PASSWORD } from '@/test/support/make-account';
import { softPasskey } from '@/test/support/soft-passkey';
import { addPasskey } from './add-passkey';
import { askAnyPasskey, askOwnPasskey, askSecondStep } from './ask-passkey';
import { beginPasskey } from './begin-passkey';
import { beginTotp } from './begin-totp';
import { confirmTotp } from './confirm-totp';
import { finishSignIn } from './finish-sign-in';
import { CHALLENGE_LIFETIME_MS, writeChallenge } from './passkey-cookie';
import { removePasskey } from './remove-passkey';
import { removeTotp } from './remove-totp';
import { renewRecoveryCodes } from './renew-recovery-codes';
import { signIn } from './sign-in';
import { signInWithPasskey } from './sign-in-with-passkey';
import { writeStep } from './step-cookie';

const SHOP = { origin: 'http://localhost:3999', rpId: 'localhost' };
const caller = { address: '198.51.100.7', headers: new Headers() };

lengthenWaits();
beforeEach(() => cacheRedis().flushdb());
afterAll(() => Promise.all([closeRedis(), closeDb()]));

const pairOf = (setCookie: string) => setCookie.split(';', 1)[0] as string;
const browserWith = (...setCookies: string[]) => ({
  address: '203.0.113.9',
  headers: new Headers({ cookie: setCookies.map(pairOf).join('; ') }),
});

async function signedIn() {
  const { id, email } = await makeAccount();
  const [cookie, other] = [await sessionOf(id), await sessionOf(id)];
  return { id, email, cookie, other, user: (await userOfSession(cookie)) as CurrentUser };
}

async function begin(user: CurrentUser) {
  const begun = await beginPasskey(user, PASSWORD, caller);
  if (begun.status !== 'begun') throw new Error(begun.status);
  return begun;
}

/** Adds a passkey to the account of a session. */
async function addTo(user: CurrentUser, name = 'My phone') {
  const authenticator = softPasskey(SHOP);
  const { wish, setCookie } = await begin(user);
  const added = await addPasskey(user, { name, passkey: authenticator.make(wish) }, browserWith(setCookie));
  if (added.status !== 'added') throw new Error(added.status);
  return { authenticator, ...added };
}

async function withPasskey() {
  const account = await signedIn();
  return { ...account, ...(await addTo(account.user)) };
}

/** Asks for a passkey as the sign-in page does, and returns how to bring an answer. */
function asked() {
  const { question, setCookie } = askAnyPasskey();
  const browser = browserWith(setCookie);
  return {
    question,
    bring: (passkey: Parameters<typeof signInWithPasskey>[0]['passkey']) =>
      signInWithPasskey({ passkey }, browser),
  };
}

describe('adding a passkey', () => {
  it('[N5] makes it the second factor: recovery codes come with it, and other sessions end', async () => {
    const { id, email, cookie, other, user, passkeyId, recoveryCodes } = await withPasskey();
    expect(recoveryCodes).toHaveLength(10);
    expect(await userOfSession(cookie)).toMatchObject({ userId: id });
    expect(await userOfSession(other)).toBeNull();
    expect((await signIn({ email, password: PASSWORD }, caller)).status).toBe('second_step');
    const second = await addTo(user, 'My key');
    expect(second.recoveryCodes).toEqual([]);
    expect(await listFactors(id)).toMatchObject({
      totp: null,
      passkeys: [
        { name: 'My key', lastUsedAt: null },
        { passkeyId, name: 'My phone', lastUsedAt: null },
      ],
      recoveryCodesLeft: 10,
    });
    const entries = await db().auditEntry.findMany({ where: { subjectId: id, action: 'user.add_factor' } });
    expect(entries).toHaveLength(2);
  });

  it('[N5] needs the password, and none is added to a demo account', async () => {
    const { id, user } = await signedIn();
    expect(await beginPasskey(user, 'a guess', caller)).toEqual({ status: 'wrong' });
    await db().user.update({ where: { id }, data: { isDemo: true } });
    expect(await beginPasskey(user, PASSWORD, caller)).toEqual({ status: 'demo_account' });
  });

  it('[N5] is good once: not twice at the same moment, nor again after it was removed', async () => {
    const { id, user } = await signedIn();
    const { wish, setCookie } = await begin(user);
    const passkeys = [softPasskey(SHOP).make(wish), softPasskey(SHOP).make(wish)];
    const add = (passkey: (typeof passkeys)[number]) =>
      addPasskey(user, { name: 'x', passkey }, browserWith(setCookie));
    const results = await Promise.all(passkeys.map(add));
    expect(results.map(({ status }) => status).sort()).toEqual(['added', 'wrong']);
    await db().passkey.deleteMany({ where: { userId: id } });
    expect(await Promise.all(passkeys.map(add))).toEqual([{ status: 'wrong' }, { status: 'wrong' }]);
  });

  it.each([
    ['another site', { origin: 'https://evil.test' }],
    ['another name', { rpId: 'evil.test' }],
    ['an authenticator that checked nobody', { flags: 0b0100_0001 }],
  ])('[N5] refuses what was made for %s', async (_, faults) => {
    const { user } = await signedIn();
    const { wish, setCookie } = await begin(user);
    const passkey = softPasskey(SHOP).make(wish, faults);
    expect(await addPasskey(user, { name: 'x', passkey }, browserWith(setCookie))).toEqual({
      status: 'wrong',
    });
  });

  it('[N5] refuses another challenge, another session’s, and one that has run out', async () => {
    const { id, other, user } = await signedIn();
    const { wish, setCookie } = await begin(user);
    const key = softPasskey(SHOP);
    const add = (passkey: ReturnType<typeof key.make>, cookie: string, who = user) =>
      addPasskey(who, { name: 'x', passkey }, browserWith(cookie));
    const good = key.make(wish);
    expect((await add(key.make({ challenge: 'A'.repeat(43) }), setCookie)).status).toBe('wrong');
    expect((await add(good, '')).status).toBe('wrong');
    expect((await add(good, setCookie, (await userOfSession(other)) as CurrentUser)).status).toBe('wrong');
    const row = await db().user.findUniqueOrThrow({ where: { id } });
    const bound = `${user.session.id} ${id} ${row.sessionVersion} ${row.passwordHash}`;
    const late = writeChallenge('add', bound, Date.now() - CHALLENGE_LIFETIME_MS);
    expect((await add(key.make(late), late.setCookie)).status).toBe('wrong');
    expect((await add(good, setCookie)).status).toBe('added');
  });

  it('[N5] refuses a maker’s certificates, however right: who checks them looks up what they name', async () => {
    const { user } = await signedIn();
    const { wish, setCookie } = await begin(user);
    const authenticator = softPasskey(SHOP);
    const add = (...vouch: [Parameters<typeof authenticator.make>[2]]) =>
      addPasskey(
        user,
        { name: 'x', passkey: authenticator.make(wish, {}, ...vouch) },
        browserWith(setCookie),
      );
    const { certificate, key } = selfSigned(['Key'], {
      country: 'SE',
      organization: 'Maker',
      unit: 'Authenticator Attestation',
    });
    const x5c = [new Uint8Array(new X509Certificate(certificate).raw)];
    const signed = (...parts: Buffer[]) => new Uint8Array(sign('sha256', Buffer.concat(parts), key));
    const packed = await add(({ authData, clientDataHash }) => ({
      fmt: 'packed',
      attStmt: new Map<string, unknown>([
        ['alg', -7],
        ['sig', signed(authData, clientDataHash)],
        ['x5c', x5c],
      ]),
    }));
    const ofKeys = await add(({ clientDataHash, rpIdHash, id, point }) => ({
      fmt: 'fido-u2f',
      attStmt: new Map<string, unknown>([
        ['sig', signed(Buffer.alloc(1), rpIdHash, clientDataHash, id, point)],
        ['x5c', x5c],
      ]),
    }));
    expect([packed.status, ofKeys.status]).toEqual(['wrong', 'wrong']);
    expect((await add(undefined)).status).toBe('added');
  });

  it('[N5] refuses one that somebody has, and one more than an account may have', async () => {
    const { user, authenticator } = await withPasskey();
    const stranger = await signedIn();
    const { wish, setCookie } = await begin(stranger.user);
    const passkey = authenticator.make(wish);
    expect(await addPasskey(stranger.user, { name: 'x', passkey }, browserWith(setCookie))).toEqual({
      status: 'exists',
    });
    await db().passkey.createMany({
      data: Array.from({ length: MAX_PASSKEYS - 1 }, (_, at) => ({
        id: `pk_${user.userId}_${at}`,
        userId: user.userId,
        credentialId: `${user.userId}-${at}`,
        publicKey: Buffer.alloc(1),
        name: 'x',
        lastChallengeAt: new Date(),
      })),
    });
    expect(await beginPasskey(user, PASSWORD, caller)).toEqual({ status: 'full' });
  });

  it('[N5] refuses bodies that are huge, empty or nonsense, and those of other sites', async () => {
    const { cookie, user } = await signedIn();
    const { wish } = await begin(user);
    const good = softPasskey(SHOP).make(wish);
    const add = async (body: unknown, isSameOrigin = true) => {
      const answer = await callWith(cookie, postAdd, { method: 'POST', body, isSameOrigin });
      return ((await answer.json()) as { code: string }).code;
    };
    const garbage = { ...good.response, attestationObject: 'AAAA' };
    expect(await add({ name: 'x', passkey: good })).toBe('PASSKEY_WRONG');
    expect(await add({ name: 'x', passkey: { ...good, response: garbage } })).toBe('PASSKEY_WRONG');
    for (const body of [{}, null, [], { name: 'x' }, { name: '', passkey: good }, { name: 'x', passkey: {} }])
      expect(await add(body)).toBe('VALIDATION');
    const huge = { ...good.response, attestationObject: 'A'.repeat(8_001) };
    expect(await add({ name: 'x', passkey: { ...good, response: huge } })).toBe('VALIDATION');
    expect(await add({ name: 'x'.repeat(20_000), passkey: good })).toBe('TOO_LARGE');
    expect(await add({ name: 'x', passkey: good }, false)).toBe('CSRF');
  });
});

describe('signing in by a passkey alone', () => {
  it('[N5] begins a session, once: the same answer is refused, also at the same moment', async () => {
    const { id, authenticator } = await withPasskey();
    const { question, bring } = asked();
    expect(question.allowCredentials).toEqual([]);
    const answer = authenticator.answer(question);
    const results = await Promise.all([bring(answer), bring(answer)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['signed_in', 'wrong']);
    expect((await bring(answer)).status).toBe('wrong');
    const [passkey] = (await listFactors(id)).passkeys;
    expect(passkey?.lastUsedAt).toBeGreaterThan(Date.now() - 60_000);
  });

  it.each([
    ['for another site', { origin: 'https://evil.test' }],
    ['for another name', { rpId: 'evil.test' }],
    ['of an authenticator that checked nobody', { flags: 0b0000_0001 }],
    ['for another account', { userHandle: handleOf('user_other') }],
  ])('[N5] refuses an answer %s', async (_, faults) => {
    const { authenticator } = await withPasskey();
    const { question, bring } = asked();
    expect((await bring(authenticator.answer(question, faults))).status).toBe('wrong');
    expect((await bring(authenticator.answer(question))).status).toBe('signed_in');
  });

  it('[N5] refuses an answer to something else: another challenge, another use, one that has run out', async () => {
    const { id, user, authenticator } = await withPasskey();
    const { question } = asked();
    const answer = authenticator.answer(question);
    const own = await askOwnPasskey(user);
    const late = writeChallenge('sign-in', '', Date.now() - CHALLENGE_LIFETIME_MS);
    const row = await db().user.findUniqueOrThrow({ where: { id } });
    const step = await askSecondStep(pairOf(writeStep(row)));
    if (step.status !== 'asked') throw new Error(step.status);
    for (const [passkey, cookie] of [
      [answer, ''],
      [answer, askAnyPasskey().setCookie],
      [authenticator.answer(own.question), own.setCookie],
      [authenticator.answer(step.question), step.setCookie],
      [authenticator.answer(late), late.setCookie],
    ] as const)
      expect((await signInWithPasskey({ passkey }, browserWith(cookie))).status).toBe('wrong');
  });

  it('[N5] refuses a passkey that was removed or never added, and a signature of another key', async () => {
    const { id, authenticator } = await withPasskey();
    const stranger = softPasskey(SHOP);
    const { question, bring } = asked();
    expect((await bring(stranger.answer(question, { userHandle: handleOf(id) }))).status).toBe('wrong');
    const mine = authenticator.answer(question);
    const forged = {
      ...mine,
      response: { ...mine.response, signature: stranger.answer(question).response.signature },
    };
    expect((await bring(forged)).status).toBe('wrong');
    await db().passkey.deleteMany({ where: { userId: id } });
    expect((await bring(mine)).status).toBe('wrong');
  });

  it('[N5] refuses a banned account, and a demo account outside the demo', async () => {
    const { id, authenticator } = await withPasskey();
    const bring = () => {
      const { question, bring: send } = asked();
      return send(authenticator.answer(question));
    };
    await db().user.update({ where: { id }, data: { bannedAt: new Date() } });
    expect((await bring()).status).toBe('wrong');
    await db().user.update({ where: { id }, data: { bannedAt: null, isDemo: true } });
    const settings = env();
    try {
      Object.assign(settings, { isDemo: false });
      expect((await bring()).status).toBe('wrong');
    } finally {
      Object.assign(settings, { isDemo: true });
    }
    expect((await bring()).status).toBe('signed_in');
  });

  it('[N5] refuses a copy: a counter that goes back or stands still, and notes it in the security log', async () => {
    const { id, authenticator } = await withPasskey();
    const bring = (counter: number) => {
      const { question, bring: send } = asked();
      return send(authenticator.answer(question, { counter }));
    };
    expect((await bring(7)).status).toBe('signed_in');
    takeEvents(Date.now(), true);
    for (const counter of [7, 6, 0]) expect((await bring(counter)).status).toBe('wrong');
    expect(takeEvents(Date.now(), true)).toMatchObject([
      { action: 'factor.refuse', subject: { id }, facts: { why: 'stale passkey' }, count: 3 },
    ]);
    expect((await bring(8)).status).toBe('signed_in');
  });

  it('[N5] bounds what an address may try', async () => {
    const { authenticator } = await withPasskey();
    const bring = async () => {
      const { question, bring: send } = asked();
      return (await send(authenticator.answer(question, { origin: 'https://evil.test' }))).status;
    };
    const statuses = new Set<string>();
    for (let tried = 0; tried < 25; tried += 1) statuses.add(await bring());
    expect([...statuses]).toEqual(['wrong', 'limited']);
  });

  it('[N5] goes over HTTP with a cookie that scripts can’t read; other sites and nonsense are refused', async () => {
    const { email, authenticator } = await withPasskey();
    const post = (name: string, body: string, cookie = '', site = 'same-origin') =>
      postAuth(
        new Request('http://shop.test/', {
          method: 'POST',
          headers: { 'sec-fetch-site': site, 'content-type': 'application/json', cookie },
          body,
        }),
        { params: Promise.resolve({ nextauth: name.split('/') }) } as never,
      );
    expect((await post('passkey/sign-in', '', '', 'cross-site')).status).toBe(403);
    expect((await post('passkey/second-step', '')).status).toBe(401);
    const first = await post('passkey/sign-in', '');
    const [challenge = ''] = first.headers.getSetCookie();
    expect(challenge).toMatch(/^seckill-passkey=.*Max-Age=300; HttpOnly; SameSite=Lax/);
    const answer = JSON.stringify({ passkey: authenticator.answer(await first.json()) });
    for (const body of ['', '{', '{}', 'null', '{"passkey":{}}', `{"passkey":"${'x'.repeat(20_000)}"}`])
      expect([400, 413, 422]).toContain((await post('callback/passkey', body, pairOf(challenge))).status);
    expect((await post('callback/passkey', answer, pairOf(challenge), 'cross-site')).status).toBe(403);
    expect((await post('callback/passkey', answer)).status).toBe(403);
    const second = await post('callback/passkey', answer, pairOf(challenge));
    expect(second.status).toBe(200);
    const cookies = second.headers.getSetCookie();
    expect(cookies.find((each) => each.startsWith('seckill-passkey=;'))).toBeTruthy();
    const session = cookies.find((each) => each.startsWith(sessionCookieName()));
    expect(await userOfSession(pairOf(session ?? '').split('=')[1])).toMatchObject({ email });
  });
});

describe('a passkey as the second step', () => {
  async function afterPassword(id: string) {
    const step = writeStep(await db().user.findUniqueOrThrow({ where: { id } }));
    const found = await askSecondStep(pairOf(step));
    if (found.status !== 'asked') throw new Error(found.status);
    return { question: found.question, browser: browserWith(step, found.setCookie) };
  }

  it('[N5] takes a passkey of the account, once, or a recovery code', async () => {
    const { id, authenticator, recoveryCodes } = await withPasskey();
    const { question, browser } = await afterPassword(id);
    expect(question.allowCredentials).toMatchObject([{ id: authenticator.id, transports: ['internal'] }]);
    const passkey = authenticator.answer(question);
    expect((await finishSignIn({ passkey }, browser)).status).toBe('signed_in');
    expect((await finishSignIn({ passkey }, browser)).status).toBe('wrong');
    expect((await finishSignIn({ code: recoveryCodes[0] as string }, browser)).status).toBe('signed_in');
  });

  it('[N5] takes no passkey of another account, and no answer that signs in alone', async () => {
    const { id, authenticator } = await withPasskey();
    const other = await withPasskey();
    const { question, browser } = await afterPassword(id);
    const theirs = other.authenticator.answer(question);
    expect((await finishSignIn({ passkey: theirs }, browser)).status).toBe('wrong');
    const alone = askAnyPasskey();
    const step = writeStep(await db().user.findUniqueOrThrow({ where: { id } }));
    const passkey = authenticator.answer(alone.question);
    expect((await finishSignIn({ passkey }, browserWith(step, alone.setCookie))).status).toBe('wrong');
  });

  it('[N5] is not asked of who gave no password, nor of an account without passkeys', async () => {
    const { id } = await signedIn();
    expect(await askSecondStep(null)).toEqual({ status: 'over' });
    const row = await db().user.update({ where: { id }, data: { secondFactorAt: new Date() } });
    expect(await askSecondStep(pairOf(writeStep(row)))).toEqual({ status: 'no_passkey' });
  });
});

describe('removing a passkey', () => {
  async function proofOf(user: CurrentUser, authenticator: ReturnType<typeof softPasskey>) {
    const { question, setCookie } = await askOwnPasskey(user);
    return { passkey: authenticator.answer(question), browser: browserWith(setCookie) };
  }

  it('[N5] needs the password and a factor; with the last one the password signs in alone again', async () => {
    const { id, email, user, authenticator, passkeyId } = await withPasskey();
    const other = await sessionOf(id);
    const remove = async (currentPassword: string, by = authenticator) => {
      const { passkey, browser } = await proofOf(user, by);
      return removePasskey(user, passkeyId, { currentPassword, passkey }, browser);
    };
    expect(await remove('a guess')).toEqual({ status: 'wrong' });
    expect(await remove(PASSWORD, softPasskey(SHOP))).toEqual({ status: 'factor_wrong' });
    expect(
      await removePasskey(user, passkeyId, { currentPassword: PASSWORD, code: '000000' }, caller),
    ).toEqual({ status: 'factor_wrong' });
    expect(await remove(PASSWORD)).toEqual({ status: 'removed' });
    expect(await remove(PASSWORD)).toEqual({ status: 'not_found' });
    expect(await userOfSession(other)).toBeNull();
    expect(await db().recoveryCode.count({ where: { userId: id } })).toBe(0);
    expect((await signIn({ email, password: PASSWORD }, caller)).status).toBe('signed_in');
  });

  it('[N5] is for its owner alone', async () => {
    const { passkeyId } = await withPasskey();
    const { user, authenticator } = await withPasskey();
    const { passkey, browser } = await proofOf(user, authenticator);
    const body = { currentPassword: PASSWORD, passkey };
    expect(await removePasskey(user, passkeyId, body, browser)).toEqual({ status: 'not_found' });
    expect(await db().passkey.count({ where: { id: passkeyId } })).toBe(1);
  });

  it('[N5] changes nothing if the session has ended meanwhile', async () => {
    const { id, user, authenticator, passkeyId } = await withPasskey();
    const { passkey, browser } = await proofOf(user, authenticator);
    await db().$executeRaw`
      UPDATE sessions SET ended_at = now(), change = nextval('sessions_change_seq') WHERE user_id = ${id}`;
    const body = { currentPassword: PASSWORD, passkey };
    expect(await removePasskey(user, passkeyId, body, browser)).toEqual({ status: 'signed_out' });
    expect(await db().passkey.count({ where: { id: passkeyId } })).toBe(1);
  });

  it('[N5] and an app go one by one: each leaves the other, and the recovery codes', async () => {
    const { id, email, user, authenticator, passkeyId } = await withPasskey();
    const begun = await beginTotp(user, PASSWORD, caller);
    if (begun.status !== 'begun') throw new Error(begun.status);
    const confirmed = await confirmTotp(user, totpCode(begun.secret), caller);
    expect(confirmed).toEqual({ status: 'confirmed', recoveryCodes: [] });
    const renewal = await proofOf(user, authenticator);
    const renewed = await renewRecoveryCodes(user, { passkey: renewal.passkey }, renewal.browser);
    expect(renewed.status).toBe('renewed');
    const code = totpCode(begun.secret, Date.now() + 30_000);
    const given = { currentPassword: PASSWORD, code };
    expect(await removePasskey(user, passkeyId, given, caller)).toEqual({ status: 'removed' });
    expect((await signIn({ email, password: PASSWORD }, caller)).status).toBe('second_step');
    const again = await addTo(user);
    expect(again.recoveryCodes).toEqual([]);
    const proof = await proofOf(user, again.authenticator);
    const body = { currentPassword: PASSWORD, passkey: proof.passkey };
    expect(await removeTotp(user, body, proof.browser)).toEqual({ status: 'removed' });
    expect(await listFactors(id)).toMatchObject({ totp: null, recoveryCodesLeft: 10 });
    expect((await signIn({ email, password: PASSWORD }, caller)).status).toBe('second_step');
  });
});
