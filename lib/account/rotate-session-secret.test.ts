import { afterEach, expect, it, vi } from 'vitest';

const [OLD, NEW] = ['old', 'new'].map((name) => `${name}-key-0123456789abcdef0123456789abcdef`) as [
  string,
  string,
];
const CLAIMS = { sub: 'user_1', sid: 's1', email: 'a@example.com', name: 'A', role: 'shopper', level: 0 };
const SUBJECT = {
  id: 'user_1',
  userId: 'user_1',
  email: 'a@example.com',
  passwordHash: 'hash',
  sessionVersion: 3,
};

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** Loads what `NEXTAUTH_SECRET` seals and signs as a process that was started with it has it. */
async function started(secret: string) {
  vi.stubEnv('NEXTAUTH_SECRET', secret);
  vi.resetModules();
  const [sessions, resets, verifications, known] = await Promise.all([
    import('./sessions/session-token'),
    import('./reset-token'),
    import('./verification-token'),
    import('@/lib/device/known-accounts'),
  ]);
  // Reads the settings now.
  known.rememberAccount(null, [SUBJECT.email]);
  return { ...sessions, ...resets, ...verifications, ...known };
}

type Process = Awaited<ReturnType<typeof started>>;

/** Makes one of each kind. */
const made = async (by: Process) => ({
  session: await by.signSession(CLAIMS),
  reset: by.signReset(SUBJECT),
  verification: by.signVerification(SUBJECT),
  known: by.rememberAccount(null, [SUBJECT.email]).split(';', 1)[0] ?? '',
});

const accepted = async (
  by: Process,
  { session, reset, verification, known }: Awaited<ReturnType<typeof made>>,
) => [
  (await by.readSessionToken(session))?.sid === 's1',
  by.readReset(reset)?.isFor(SUBJECT) === true,
  by.readVerification(verification)?.isFor(SUBJECT.email) === true,
  by.knownAs(known, SUBJECT.email) !== null,
];
const ALL = [true, true, true, true];
const NONE = [false, false, false, false];

it('[N10] a new NEXTAUTH_SECRET signs nobody out, and voids no link, while the old one stands behind it', async () => {
  const before = await made(await started(OLD));
  // Every process learns the new key before the first one signs with it.
  const learning = await started(`${OLD},${NEW}`);
  expect(await accepted(learning, before)).toEqual(ALL);
  const whileLearning = await made(learning);

  const changed = await started(`${NEW},${OLD}`);
  expect(await accepted(changed, before)).toEqual(ALL);
  expect(await accepted(changed, whileLearning)).toEqual(ALL);
  const after = await made(changed);
  // A browser that signs in again is the same one, known by its new name alone.
  const renewed = changed.rememberAccount(before.known, [SUBJECT.email]).split(';', 1)[0] ?? '';

  // Processes that are not yet changed accept what the changed ones make.
  expect(await accepted(await started(`${OLD},${NEW}`), after)).toEqual(ALL);
  const last = await started(NEW);
  expect(await accepted(last, after)).toEqual(ALL);
  expect(await accepted(last, before)).toEqual(NONE);
  expect(last.knownAs(renewed, SUBJECT.email)).toBe(changed.knownAs(before.known, SUBJECT.email) ?? '');
});
