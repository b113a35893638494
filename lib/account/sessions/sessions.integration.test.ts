import { encode } from 'next-auth/jwt';
import { afterAll, describe, expect, it } from 'vitest';
import { MAX_ENTRY_AGE_MS } from '@/lib/admission/issue-entry';
import type { Role } from '@/lib/contract/words/roles';
import { closeDb, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { env } from '@/lib/env';
import { closeRedis } from '@/lib/redis/client';
import { makeAccount } from '@/test/support/make-account';
import { userOfSession } from '../current-user';
import { updateUser } from '../update-user';
import { endSessions } from './end-sessions';
import { KEEP_ENDED_MS } from './ended-sessions';
import { listSessions } from './list-sessions';
import { pruneSessions } from './prune-sessions';
import { readSession } from './read-session';
import { claimsOf, signSession } from './session-token';
import { MAX_SESSIONS, startSession } from './start-session';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

afterAll(() => Promise.all([closeRedis(), closeDb()]));

async function signedIn(role: Role = 'shopper') {
  const user = await makeAccount(role);
  const sessionId = await startSession(user, 'Firefox, Linux');
  return { user, sessionId, cookie: await signSession(claimsOf(user, sessionId)) };
}

/** Makes a session look as if it had begun, and was last used, this long ago. */
const age = (id: string, { bornMs = 0, unusedMs = 0 }) =>
  db().$executeRaw`
    UPDATE sessions SET expires_at = expires_at - ${bornMs}::int8 * interval '1 ms',
      last_seen_at = last_seen_at - ${unusedMs}::int8 * interval '1 ms' WHERE id = ${id}`;
const isGood = async (cookie: string) => (await userOfSession(cookie)) !== null;

describe('a session', () => {
  it.each([
    ['shopper', 30 * DAY_MS, 7 * DAY_MS],
    ...(['merchant', 'support', 'auditor', 'operator', 'admin'] as const).map(
      (role) => [role, 12 * HOUR_MS, 2 * HOUR_MS] as const,
    ),
  ] as const)('[N3] of a %s ends by itself, used or not', async (role, absoluteMs, idleMs) => {
    const minute = 60_000;
    const used = await signedIn(role);
    await age(used.sessionId, { bornMs: absoluteMs - minute });
    expect(await isGood(used.cookie)).toBe(true);
    await age(used.sessionId, { bornMs: minute });
    expect(await isGood(used.cookie)).toBe(false);
    const idle = await signedIn(role);
    await age(idle.sessionId, { unusedMs: idleMs - minute });
    expect(await isGood(idle.cookie)).toBe(true);
    const idler = await signedIn(role);
    await age(idler.sessionId, { unusedMs: idleMs + minute });
    expect(await isGood(idler.cookie)).toBe(false);
  });

  it('[N3] is marked as used once in some minutes, whatever is asked, and lasts no longer for it', async () => {
    const { sessionId, cookie } = await signedIn();
    const seen = async () =>
      (await db().session.findUniqueOrThrow({ where: { id: sessionId } })).lastSeenAt.getTime();
    const first = await seen();
    await Promise.all(Array.from({ length: 20 }, () => isGood(cookie)));
    expect(await seen()).toBe(first);
    await age(sessionId, { unusedMs: 6 * 60_000 });
    const expiresAt = (await userOfSession(cookie))?.session.expiresAt;
    expect(await seen()).toBeGreaterThanOrEqual(first);
    expect((await userOfSession(cookie))?.session.expiresAt).toBe(expiresAt);
  });

  it('[N3] belongs to the account its cookie names, and to nobody by any other cookie', async () => {
    const [mine, theirs] = [await signedIn(), await signedIn()];
    expect(await readSession({ sub: mine.user.id, sid: mine.sessionId })).toMatchObject({
      userId: mine.user.id,
    });
    expect(await readSession({ sub: theirs.user.id, sid: mine.sessionId })).toBeNull();
    const [secret] = env().nextAuthSecrets;
    const before = await encode({ token: { sub: mine.user.id, sv: 0, role: 'admin' }, secret });
    const other = await encode({ token: { ...claimsOf(mine.user, mine.sessionId) }, secret: `x${secret}` });
    const wrong = [
      before,
      other,
      mine.cookie.slice(0, -1),
      `${mine.cookie}x`,
      '',
      'x',
      'x'.repeat(9_000),
      '....',
    ];
    for (const cookie of wrong) expect(await isGood(cookie), cookie.slice(0, 40)).toBe(false);
  });

  it('[N3] that began by what the account was before all its sessions were ended is none', async () => {
    const user = await makeAccount();
    await transaction((tx) => updateUser(tx, user.id, { endsSessions: true }));
    // The sign-in checked the password against the row as it was before.
    const sessionId = await startSession(user);
    expect(await readSession({ sub: user.id, sid: sessionId })).toBeNull();
  });

  it('[N3] of the demo is good in the demo alone', async () => {
    const { user, cookie } = await signedIn('merchant');
    await db().user.update({ where: { id: user.id }, data: { isDemo: true } });
    expect(await isGood(cookie)).toBe(true);
    const settings = env();
    settings.isDemo = false;
    try {
      expect(await isGood(cookie)).toBe(false);
    } finally {
      settings.isDemo = true;
    }
  });
});

describe('the sessions of an account', () => {
  it('[N2] are listed for their owner, the one that asks among them', async () => {
    const { user, sessionId } = await signedIn();
    const other = await startSession(user, 'Safari, iOS');
    const ended = await startSession(user);
    const idle = await startSession(user);
    await transaction((tx) => endSessions(tx, user.id, { only: [ended] }));
    await age(idle, { unusedMs: 8 * DAY_MS });
    const list = await listSessions(user.id, sessionId);
    expect(list.map((each) => [each.sessionId, each.browser, each.isCurrent]).sort()).toEqual(
      [
        [sessionId, 'Firefox, Linux', true],
        [other, 'Safari, iOS', false],
      ].sort(),
    );
  });

  it('[N3] are a hundred at most: one more ends the one that was used longest ago', async () => {
    const { user, sessionId } = await signedIn();
    await age(sessionId, { unusedMs: HOUR_MS });
    for (let n = 1; n < MAX_SESSIONS; n += 1) await startSession(user);
    expect(await readSession({ sub: user.id, sid: sessionId })).not.toBeNull();
    await age(sessionId, { unusedMs: HOUR_MS });
    await Promise.all([startSession(user), startSession(user)]);
    expect(await db().session.count({ where: { userId: user.id, endedAt: null } })).toBe(MAX_SESSIONS);
    expect(await readSession({ sub: user.id, sid: sessionId })).toBeNull();
  });

  it('[N3] that are over are deleted when no entry token of theirs is left', async () => {
    expect(KEEP_ENDED_MS).toBeGreaterThan(MAX_ENTRY_AGE_MS);
    const [live, recent, old, expired] = [
      await signedIn(),
      await signedIn(),
      await signedIn(),
      await signedIn(),
    ];
    for (const { user } of [recent, old]) await transaction((tx) => endSessions(tx, user.id));
    await db()
      .$executeRaw`UPDATE sessions SET ended_at = ended_at - interval '26 hours' WHERE id = ${old.sessionId}`;
    await age(expired.sessionId, { bornMs: 40 * DAY_MS });
    await pruneSessions();
    const ids = [live, recent, old, expired].map(({ sessionId }) => sessionId);
    const left = await db().session.findMany({ where: { id: { in: ids } }, select: { id: true } });
    expect(left.map(({ id }) => id).sort()).toEqual([live.sessionId, recent.sessionId].sort());
  });
});
