import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { sessionOf } from '@/test/support/call-as';
import { makeUser } from '@/test/support/make-sale';
import { recentUser } from './recent-user';
import { endSessions } from './sessions/end-sessions';
import {
  announceEndedSessions,
  stopWatchingEndedSessions,
  watchEndedSessions,
} from './sessions/ended-sessions';
import { sessionCookieName } from './sessions/session-token';

const LONGER_THAN_UNSURE_MS = 1_300;

afterEach(stopWatchingEndedSessions);
afterAll(() => Promise.all([closeRedis(), closeDb()]));

/** Somebody who comes with a session, and comes again. */
async function visitor() {
  const { userId } = await makeUser();
  const headers = new Headers({ cookie: `${sessionCookieName()}=${await sessionOf(userId)}` });
  return {
    userId,
    nameNow: async () => (await recentUser(headers))?.name,
    rename: (name: string) => db().user.update({ where: { id: userId }, data: { name } }),
  };
}

it('[N3] remembers a session for seconds, and yet it ends at once', async () => {
  await watchEndedSessions();
  const comesAgain = async () => {
    const { userId, nameNow, rename } = await visitor();
    expect(await nameNow()).toBe('shopper');
    await rename('Another');
    await delay(LONGER_THAN_UNSURE_MS);
    return { userId, nameNow, name: await nameNow() };
  };
  let { userId, nameNow, name } = await comesAgain();
  // A machine that stood still so long has forgotten the session, or what ended since.
  for (let tries = 1; name !== 'shopper' && tries < 5; tries += 1)
    ({ userId, nameNow, name } = await comesAgain());
  expect(name).toBe('shopper');
  await endSessions(db(), userId);
  await announceEndedSessions();
  expect(await nameNow()).toBeUndefined();
});

it('[N3] believes nothing for longer than a second while it can’t know which sessions ended', async () => {
  const { userId, nameNow, rename } = await visitor();
  expect(await nameNow()).toBe('shopper');
  await rename('Another');
  await delay(LONGER_THAN_UNSURE_MS);
  expect(await nameNow()).toBe('Another');
  await endSessions(db(), userId);
  await delay(LONGER_THAN_UNSURE_MS);
  expect(await nameNow()).toBeUndefined();
});
