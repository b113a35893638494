import { sign, X509Certificate } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { POST as postAdd } from '@/app/api/account/factors/passkeys/add/route';
import { POST as postAuth } from '@/app/api/auth/[...nextauth]/route';
import { selfSigned } from '@/deploy/nginx/testing/self-signed';
import { userOfSession } from '@/lib/account/current-user';
import { MAX_PASSKEYS } from '@/lib/account/factors/describe-passkeys';
import { listFactors } from '@/lib/account/factors/list-factors';
import { handleOf } from '@/lib/account/factors/spend-passkey';
import { totpCode } from '@/lib/account/factors/totp';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import type { CurrentUser } from '@/lib/account/types';
import type { PasskeyAnswer } from '@/lib/contract/shapes/passkey';
import { closeDb, db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { takeEvents } from '@/lib/security/note-event';
import { callWith, sessionOf } from '@/test/support/call-as';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { makeAccount, makeVerified, PASSWORD } from '@/test/support/make-account';
import { makePasskey } from '@/test/support/make-passkey';
import { softPasskey } from '@/test/support/soft-passkey';
import { addPasskey } from './add-passkey';
import { askAnyPasskey, askOwnPasskey } from './ask-passkey';
import { beginPasskey } from './begin-passkey';
import { beginTotp } from './begin-totp';
import { confirmTotp } from './confirm-totp';
import { finishSignIn } from './finish-sign-in';
import { CHALLENGE_LIFETIME_MS, writeChallenge } from './passkey-cookie';
import { removeFactor } from './remove-factor';
import { renewRecoveryCodes } from './renew-recovery-codes';
import { signIn } from './sign-in';
import { signInWithPasskey } from './sign-in-with-passkey';
import { writeStep } from './step-cookie';

const SHOP = { origin: 'http://localhost:3999', rpId: 'localhost' };
const caller = { address: '198.51.100.7', headers: new Headers() };
const mails = keepMailsApart();

type SoftPasskey = ReturnType<typeof softPasskey>;

beforeEach(() => cacheRedis().flushdb());
afterAll(() => Promise.all([closeRedis(), closeDb()]));

const pairOf = (setCookie: string) => setCookie.split(';', 1)[0] as string;
const browserWith = (...setCookies: string[]) => ({
  address: '203.0.113.9',
  headers: new Headers({ cookie: setCookies.map(pairOf).join('; ') }),
});
const rowOf = (id: string) => db().user.findUniqueOrThrow({ where: { id } });
const signsIn = async (email: string) => (await signIn({ email, password: PASSWORD }, caller)).status;

async function signedIn(make = makeVerified) {
  const { id, email } = await make();
  const [cookie, other] = [await sessionOf(id), await sessionOf(id)];
  return { id, email, cookie, other, user: (await userOfSession(cookie)) as CurrentUser };
}

/** The proof of a session's owner by a passkey of theirs, and the browser that brings it. */
async function proofBy(authenticator: SoftPasskey, user: CurrentUser, currentPassword = PASSWORD) {
  const { question, setCookie } = await askOwnPasskey(user);
  const passkey = authenticator.answer(question);
  return { given: { currentPassword, passkey }, passkey, browser: browserWith(setCookie) };
}

async function begin(user: CurrentUser, by?: SoftPasskey) {
  const proof = by && (await proofBy(by, user));
  const begun = await beginPasskey(
    user,
    proof?.given ?? { currentPassword: PASSWORD },
    proof?.browser ?? caller,
  );
  if (begun.status !== 'begun') throw new Error(begun.status);
  return begun;
}

/** Adds a passkey to the account of a session. @param by the passkey that shows who asks, if the account has one */
async function addTo(user: CurrentUser, name = 'My phone', by?: SoftPasskey) {
  const authenticator = softPasskey(SHOP);
  const { wish, setCookie } = await begin(user, by);
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
    bring: async (passkey: PasskeyAnswer) => (await signInWithPasskey({ passkey }, browser)).status,
  };
}

describe('adding a passkey', () => {
  it('[N5] takes a second step after the password from then on; recovery codes come, other sessions end, the owner is told', async () => {
    const { id, email, cookie, other, user, passkeyId, authenticator, recoveryCodes } = await withPasskey();
    expect(recoveryCodes).toHaveLength(10);
    expect(await userOfSession(cookie)).toMatchObject({ userId: id });
    expect(await userOfSession(other)).toBeNull();
    expect(await signsIn(email)).toBe('second_step');
    await mails.only(`passkeyAdded-${id}`);
    const second = await addTo(user, 'My key', authenticator);
    expect(second.recoveryCodes).toEqual([]);
    expect(await listFactors(user)).toMatchObject({
      totp: null,
      passkeys: [
        { name: 'My key', lastUsedAt: null },
        { passkeyId, name: 'My phone', lastUsedAt: expect.any(Number) },
      ],
      recoveryCodesLeft: 10,
    });
    const entries = await db().auditEntry.findMany({ where: { subjectId: id, action: 'user.add_factor' } });
    expect(entries).toHaveLength(2);
  });

  it('[N5] needs the password, and a second factor if there is one; none is added to a demo account', async () => {
    const { id, user } = await signedIn();
    const beginBy = async (given: Parameters<typeof beginPasskey>[1]) =>
      (await beginPasskey(user, given, caller)).status;
    expect(await beginBy({ currentPassword: 'a guess' })).toBe('wrong');
    const { recoveryCodes } = await addTo(user);
    expect(await beginBy({ currentPassword: PASSWORD })).toBe('code_wrong');
    expect(await beginBy({ currentPassword: PASSWORD, code: recoveryCodes[0] })).toBe('begun');
    const demo = await signedIn();
    await db().user.update({ where: { id: demo.id }, data: { isDemo: true } });
    expect(await beginPasskey(demo.user, { currentPassword: PASSWORD }, caller)).toEqual({
      status: 'demo_account',
    });
    expect((await rowOf(id)).secondFactorAt).not.toBeNull();
  });

  it('[N5 N6] is refused to a shopper whose address is not verified: it may be another person’s', async () => {
    const { user } = await signedIn(makeAccount);
    expect(await beginPasskey(user, { currentPassword: PASSWORD }, caller)).toEqual({ status: 'unverified' });
    const staff = await signedIn(() => makeAccount('merchant'));
    expect(await begin(staff.user)).toMatchObject({ status: 'begun' });
  });

  it('[N5] is good once: not twice at the same moment, nor again after it was removed', async () => {
    const { id, user } = await signedIn();
    const { wish, setCookie } = await begin(user);
    const passkeys = [softPasskey(SHOP).make(wish), softPasskey(SHOP).make(wish)];
    const add = async (passkey: (typeof passkeys)[number]) =>
      (await addPasskey(user, { name: 'x', passkey }, browserWith(setCookie))).status;
    expect((await Promise.all(passkeys.map(add))).sort()).toEqual(['added', 'wrong']);
    await db().passkey.deleteMany({ where: { userId: id } });
    expect(await Promise.all(passkeys.map(add))).toEqual(['wrong', 'wrong']);
  });

  it.each([
    ['another site', { origin: 'https://evil.test' }],
    ['another port of this host', { origin: `${SHOP.origin}0` }],
    ['another name', { rpId: 'evil.test' }],
    ['an authenticator that checked nobody', { flags: 0b0100_0001 }],
  ])('[N5] refuses one that was made for %s', async (_, faults) => {
    const { user } = await signedIn();
    const { wish, setCookie } = await begin(user);
    const passkey = softPasskey(SHOP).make(wish, faults);
    expect(await addPasskey(user, { name: 'x', passkey }, browserWith(setCookie))).toEqual({
      status: 'wrong',
    });
  });

  it('[N5] refuses another challenge, another session’s, another use’s, and one that has expired', async () => {
    const { id, other, user } = await signedIn();
    const { wish, setCookie } = await begin(user);
    const key = softPasskey(SHOP);
    const add = async (passkey: ReturnType<SoftPasskey['make']>, cookie: string, who = user) =>
      (await addPasskey(who, { name: 'x', passkey }, browserWith(cookie))).status;
    const good = key.make(wish);
    expect(await add(key.make({ challenge: 'A'.repeat(43) }), setCookie)).toBe('wrong');
    expect(await add(good, '')).toBe('wrong');
    expect(await add(good, `${setCookie.slice(0, 20)}x${setCookie.slice(21)}`)).toBe('wrong');
    expect(await add(good, setCookie, (await userOfSession(other)) as CurrentUser)).toBe('wrong');
    const own = await askOwnPasskey(user);
    expect(await add(key.make(own.question), own.setCookie)).toBe('wrong');
    const bound = `${user.session.id} ${(await rowOf(id)).sessionVersion}`;
    const late = writeChallenge('add', bound, Date.now() - CHALLENGE_LIFETIME_MS);
    expect(await add(key.make(late), late.setCookie)).toBe('wrong');
    expect(await add(good, setCookie)).toBe('added');
  });

  it('[N5 N7] refuses a maker’s certificate, however right: the library would look up what it names', async () => {
    const { user } = await signedIn();
    const { wish, setCookie } = await begin(user);
    const authenticator = softPasskey(SHOP);
    const { certificate, key } = selfSigned(['Key']);
    const vouched = authenticator.make(wish, {}, ({ clientDataHash, rpIdHash, id, point }) => {
      const signed = Buffer.concat([Buffer.alloc(1), rpIdHash, clientDataHash, id, point]);
      return {
        fmt: 'fido-u2f',
        attStmt: new Map<string, unknown>([
          ['sig', new Uint8Array(sign('sha256', signed, key))],
          ['x5c', [new Uint8Array(new X509Certificate(certificate).raw)]],
        ]),
      };
    });
    const add = (passkey: typeof vouched) => addPasskey(user, { name: 'x', passkey }, browserWith(setCookie));
    expect((await add(vouched)).status).toBe('wrong');
    expect((await add(authenticator.make(wish))).status).toBe('added');
  });

  it('[N5] refuses one that an account has, and one more than an account may have', async () => {
    const { user, authenticator, recoveryCodes } = await withPasskey();
    const stranger = await signedIn();
    const { wish, setCookie } = await begin(stranger.user);
    const passkey = authenticator.make({ challenge: wish.challenge });
    expect(await addPasskey(stranger.user, { name: 'x', passkey }, browserWith(setCookie))).toEqual({
      status: 'exists',
    });
    const more = await begin(user, authenticator);
    for (let had = 1; had < MAX_PASSKEYS; had += 1) await makePasskey(user.userId);
    const late = softPasskey(SHOP).make(more.wish);
    expect(await addPasskey(user, { name: 'x', passkey: late }, browserWith(more.setCookie))).toEqual({
      status: 'full',
    });
    const given = { currentPassword: PASSWORD, code: recoveryCodes[0] };
    expect(await beginPasskey(user, given, caller)).toEqual({ status: 'full' });
  });

  it('[N5] refuses bodies that are huge, empty or nonsense, and those of other sites', async () => {
    const { cookie, user } = await signedIn();
    const { wish } = await begin(user);
    const good = softPasskey(SHOP).make(wish);
    const add = async (body: unknown, isSameOrigin = true) => {
      const answer = await callWith(cookie, postAdd, { method: 'POST', body, isSameOrigin });
      return ((await answer.json()) as { code: string }).code;
    };
    const withObject = (attestationObject: string) => ({
      name: 'x',
      passkey: { ...good, response: { ...good.response, attestationObject } },
    });
    expect(await add({ name: 'x', passkey: good })).toBe('PASSKEY_WRONG');
    for (const object of ['AAAA', '_', 'A'.repeat(8_000)])
      expect(await add(withObject(object))).toBe('PASSKEY_WRONG');
    for (const object of ['', 'a b', 'A'.repeat(8_001)])
      expect(await add(withObject(object))).toBe('VALIDATION');
    for (const body of [
      {},
      null,
      [],
      { name: 'x' },
      { name: ' ', passkey: good },
      { name: 'x', passkey: {} },
    ])
      expect(await add(body)).toBe('VALIDATION');
    expect(await add({ name: 'x'.repeat(61), passkey: good })).toBe('VALIDATION');
    expect(await add({ name: 'x'.repeat(20_000), passkey: good })).toBe('TOO_LARGE');
    expect(await add({ name: 'x', passkey: good }, false)).toBe('CSRF');
  });
});

describe('signing in by a passkey alone', () => {
  it('[N5] begins a session, once: the same answer is refused, also at the same moment', async () => {
    const { id, user, authenticator } = await withPasskey();
    takeEvents(0, true);
    const { question, bring } = asked();
    expect(question.allowCredentials).toEqual([]);
    const answer = authenticator.answer(question);
    expect((await Promise.all([bring(answer), bring(answer)])).sort()).toEqual(['signed_in', 'wrong']);
    expect(await bring(answer)).toBe('wrong');
    const [passkey] = (await listFactors(user)).passkeys;
    expect(passkey?.lastUsedAt).toEqual(expect.any(Number));
    const events = takeEvents(0, true).sort((a, b) => b.action.localeCompare(a.action));
    expect(events).toMatchObject([
      { action: 'session.start', subject: { id }, facts: { factor: 'passkey' } },
      { action: 'factor.refuse', subject: { id }, count: 2 },
    ]);
  });

  it.each([
    ['for another site', { origin: 'https://evil.test' }],
    ['for another name', { rpId: 'evil.test' }],
    ['of an authenticator that checked nobody', { flags: 0b0000_0001 }],
    ['for another account', { userHandle: handleOf('user_other') }],
  ])('[N5] refuses an answer %s', async (_, faults) => {
    const { authenticator } = await withPasskey();
    const { question, bring } = asked();
    expect(await bring(authenticator.answer(question, faults))).toBe('wrong');
    expect(await bring(authenticator.answer(question))).toBe('signed_in');
  });

  it('[N5] refuses an answer to something else: another challenge, another use, one that has expired', async () => {
    const { user, authenticator } = await withPasskey();
    const { question, setCookie } = askAnyPasskey();
    const answer = authenticator.answer(question);
    const { userHandle: _, ...nobodys } = answer.response;
    const own = await askOwnPasskey(user);
    const late = writeChallenge('sign-in', '', Date.now() - CHALLENGE_LIFETIME_MS);
    const forged = writeChallenge('sign-in', 'a session');
    for (const [passkey, cookie] of [
      [answer, ''],
      [answer, askAnyPasskey().setCookie],
      [{ ...answer, response: nobodys }, setCookie],
      [authenticator.answer(own.question), own.setCookie],
      [authenticator.answer(late), late.setCookie],
      [authenticator.answer(forged), forged.setCookie],
    ] as const)
      expect((await signInWithPasskey({ passkey }, browserWith(cookie))).status).toBe('wrong');
  });

  it('[N5] refuses an older question once a later one was answered', async () => {
    const { authenticator } = await withPasskey();
    const older = writeChallenge('sign-in', '', Date.now() - 1_000);
    const { question, bring } = asked();
    expect(await bring(authenticator.answer(question))).toBe('signed_in');
    const passkey = authenticator.answer(older);
    expect((await signInWithPasskey({ passkey }, browserWith(older.setCookie))).status).toBe('wrong');
  });

  it('[N5] refuses a passkey that was removed or never added, and a signature of another key', async () => {
    const { id, authenticator } = await withPasskey();
    const stranger = softPasskey(SHOP);
    const { question, bring } = asked();
    expect(await bring(stranger.answer(question, { userHandle: handleOf(id) }))).toBe('wrong');
    const mine = authenticator.answer(question);
    const { signature } = stranger.answer(question).response;
    expect(await bring({ ...mine, response: { ...mine.response, signature } })).toBe('wrong');
    await db().passkey.deleteMany({ where: { userId: id } });
    expect(await bring(mine)).toBe('wrong');
  });

  it('[N3 N5] refuses a banned account, and a demo account outside the demo', async () => {
    const { id, authenticator } = await withPasskey();
    const bring = () => {
      const { question, bring: send } = asked();
      return send(authenticator.answer(question));
    };
    await db().user.update({ where: { id }, data: { bannedAt: new Date() } });
    expect(await bring()).toBe('wrong');
    await db().user.update({ where: { id }, data: { bannedAt: null, isDemo: true } });
    const settings = env();
    const { isDemo } = settings;
    try {
      Object.assign(settings, { isDemo: false });
      expect(await bring()).toBe('wrong');
      Object.assign(settings, { isDemo: true });
      expect(await bring()).toBe('signed_in');
    } finally {
      Object.assign(settings, { isDemo });
    }
  });

  it('[N5] refuses a copy: a counter that goes back or stands still, and notes it in the security log', async () => {
    const { id, authenticator } = await withPasskey();
    const bring = (counter: number) => {
      const { question, bring: send } = asked();
      return send(authenticator.answer(question, { counter }));
    };
    expect(await bring(7)).toBe('signed_in');
    takeEvents(0, true);
    for (const counter of [7, 6, 0]) expect(await bring(counter)).toBe('wrong');
    expect(takeEvents(0, true)).toMatchObject([
      { action: 'factor.refuse', subject: { id }, facts: { why: 'stale passkey' }, count: 3 },
    ]);
    expect(await bring(8)).toBe('signed_in');
  });

  it('[N5] bounds the tries of an address', async () => {
    const { authenticator } = await withPasskey();
    const statuses = new Set<string>();
    for (let tried = 0; tried < 25; tried += 1) {
      const { question, bring } = asked();
      statuses.add(await bring(authenticator.answer(question, { origin: 'https://evil.test' })));
    }
    expect([...statuses]).toEqual(['wrong', 'limited']);
  });

  it('[N5 N8] goes over HTTP with a cookie that scripts can’t read, also instead of the second step; other sites and nonsense are refused', async () => {
    const { id, email, authenticator } = await withPasskey();
    const post = (name: string, body: string, cookie = '', site = 'same-origin') =>
      postAuth(
        new Request('http://shop.test/', {
          method: 'POST',
          headers: { 'sec-fetch-site': site, 'content-type': 'application/json', cookie },
          body,
        }),
        { params: Promise.resolve({ nextauth: name.split('/') }) } as never,
      );
    expect((await post('passkey', '', '', 'cross-site')).status).toBe(403);
    const first = await post('passkey', '');
    expect(first.headers.get('cache-control')).toBe('no-store');
    const [challenge = ''] = first.headers.getSetCookie();
    expect(challenge).toMatch(/^seckill-passkey=.*; Max-Age=300; HttpOnly; SameSite=Lax$/);
    const answer = JSON.stringify({ passkey: authenticator.answer(await first.json()) });
    for (const [body, status] of [
      ['', 400],
      ['{', 400],
      ['null', 422],
      ['{}', 422],
      ['{"passkey":{}}', 422],
      [`{"passkey":"${'x'.repeat(20_000)}"}`, 413],
    ] as const)
      expect((await post('callback/passkey', body, pairOf(challenge))).status).toBe(status);
    expect((await post('callback/passkey', answer, pairOf(challenge), 'cross-site')).status).toBe(403);
    const without = await post('callback/passkey', answer);
    expect([without.status, (await without.json()).code]).toEqual([403, 'PASSKEY_WRONG']);
    expect(without.headers.getSetCookie()).toEqual([]);
    const step = pairOf(writeStep(await rowOf(id)));
    const second = await post('callback/passkey', answer, `${pairOf(challenge)}; ${step}`);
    expect(second.status).toBe(200);
    const cookies = second.headers.getSetCookie();
    for (const gone of ['seckill-passkey=; ', 'seckill-step=; '])
      expect(cookies.filter((each) => each.startsWith(gone))).toHaveLength(1);
    const session = cookies.find((each) => each.startsWith(sessionCookieName())) ?? '';
    expect(await userOfSession(pairOf(session).split('=')[1])).toMatchObject({ email });
  });

  it('[N5] leaves the second step its recovery codes', async () => {
    const { id, recoveryCodes } = await withPasskey();
    const browser = browserWith(writeStep(await rowOf(id)));
    const finish = async () => (await finishSignIn({ code: recoveryCodes[0] as string }, browser)).status;
    expect(await finish()).toBe('signed_in');
    expect(await finish()).toBe('wrong');
  });
});

describe('removing a passkey', () => {
  const remove = async (
    user: CurrentUser,
    passkeyId: string,
    given: Parameters<typeof removeFactor>[2],
    browser = caller,
  ) => (await removeFactor(user, { kind: 'passkey', passkeyId }, given, browser)).status;

  it('[N5] needs the password and a second factor; with the last one the password signs in alone again', async () => {
    const { id, email, user, authenticator, passkeyId } = await withPasskey();
    const other = await sessionOf(id);
    const removeBy = async (by = authenticator, currentPassword = PASSWORD) => {
      const { given, browser } = await proofBy(by, user, currentPassword);
      return remove(user, passkeyId, given, browser);
    };
    expect(await removeBy(authenticator, 'a guess')).toBe('wrong');
    expect(await removeBy(softPasskey(SHOP))).toBe('passkey_wrong');
    expect(await remove(user, passkeyId, { currentPassword: PASSWORD, code: '000000' })).toBe('code_wrong');
    expect(await remove(user, passkeyId, { currentPassword: PASSWORD })).toBe('code_wrong');
    expect(await removeBy()).toBe('removed');
    expect(await remove(user, passkeyId, { currentPassword: PASSWORD })).toBe('not_found');
    expect(await userOfSession(other)).toBeNull();
    expect(await db().recoveryCode.count({ where: { userId: id } })).toBe(0);
    expect(await signsIn(email)).toBe('signed_in');
    await mails.only(`factorRemoved-${id}`);
  });

  it('[N5] takes no passkey of another account or session, and none of another’s passkeys away', async () => {
    const one = await withPasskey();
    const two = await withPasskey();
    const theirs = await proofBy(one.authenticator, two.user);
    expect(await remove(two.user, two.passkeyId, theirs.given, theirs.browser)).toBe('passkey_wrong');
    const elsewhere = (await userOfSession(await sessionOf(two.id))) as CurrentUser;
    const other = await proofBy(two.authenticator, elsewhere);
    expect(await remove(two.user, two.passkeyId, other.given, other.browser)).toBe('passkey_wrong');
    const own = await proofBy(two.authenticator, two.user);
    expect(await remove(two.user, one.passkeyId, own.given, own.browser)).toBe('not_found');
    expect(await db().passkey.count({ where: { id: { in: [one.passkeyId, two.passkeyId] } } })).toBe(2);
  });

  it('[N5] changes nothing if the session has ended meanwhile', async () => {
    const { id, user, authenticator, passkeyId } = await withPasskey();
    const { given, browser } = await proofBy(authenticator, user);
    await db().user.update({ where: { id }, data: { sessionVersion: { increment: 1 } } });
    expect(await remove(user, passkeyId, given, browser)).toBe('signed_out');
    expect(await db().passkey.count({ where: { id: passkeyId } })).toBe(1);
  });

  it('[N5] and an app go one by one: each leaves the other, and the recovery codes', async () => {
    const { id, email, user, authenticator, passkeyId } = await withPasskey();
    const proof = await proofBy(authenticator, user);
    const begun = await beginTotp(user, proof.given, proof.browser);
    if (begun.status !== 'begun') throw new Error(begun.status);
    const since = (await rowOf(id)).secondFactorAt;
    expect(await confirmTotp(user, totpCode(begun.secret))).toEqual({
      status: 'confirmed',
      recoveryCodes: [],
    });
    expect((await rowOf(id)).secondFactorAt).toEqual(since);
    const { passkey, browser } = await proofBy(authenticator, user);
    expect((await renewRecoveryCodes(user, { passkey }, browser)).status).toBe('renewed');
    const code = totpCode(begun.secret, Date.now() + 30_000);
    expect(await remove(user, passkeyId, { currentPassword: PASSWORD, code })).toBe('removed');
    await mails.only(`passkeyRemoved-${id}`);
    expect(await signsIn(email)).toBe('second_step');
    expect(await listFactors(user)).toMatchObject({ passkeys: [], recoveryCodesLeft: 10 });
  });

  it('[N5] stays when the app goes', async () => {
    const { id, email, user, authenticator } = await withPasskey();
    const first = await proofBy(authenticator, user);
    const begun = await beginTotp(user, first.given, first.browser);
    if (begun.status !== 'begun') throw new Error(begun.status);
    await confirmTotp(user, totpCode(begun.secret));
    const { given, browser } = await proofBy(authenticator, user);
    expect(await removeFactor(user, { kind: 'totp' }, given, browser)).toEqual({
      status: 'removed',
      isLast: false,
    });
    await mails.only(`appRemoved-${id}`);
    expect(await listFactors(user)).toMatchObject({ totp: null, recoveryCodesLeft: 10 });
    expect(await signsIn(email)).toBe('second_step');
  });
});
