import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChallengeKind } from '@/lib/contract/words/challenge';
import { closeDb, db } from '@/lib/db/client';
import { challengesFor } from '@/lib/entry/challenge-for';
import { newId } from '@/lib/ids/new-id';
import { closeRedis } from '@/lib/redis/client';
import { stopWatchingSwitchboard, watchSwitchboard } from '@/lib/switchboard/is-on';
import { callWith, sessionOf } from '@/test/support/call-as';
import { makeUser } from '@/test/support/make-sale';
import { patchSwitch, switchboardOf } from '@/test/support/switchboard';
import { PATCH } from './switchboard/[feature]/route';
import { GET } from './switchboard/route';

const ROLES = ['operator', 'merchant', 'auditor', 'shopper'] as const;
const users = {} as Record<(typeof ROLES)[number], string>;
const sessions = {} as Record<(typeof ROLES)[number], string>;
const { find, set, setAll } = switchboardOf(() => sessions.operator);

beforeAll(async () => {
  await watchSwitchboard();
  for (const role of ROLES) {
    users[role] = (await makeUser(role)).userId;
    sessions[role] = await sessionOf(users[role]);
  }
});
afterAll(async () => {
  stopWatchingSwitchboard();
  await Promise.all([closeRedis(), closeDb()]);
});

describe('the switchboard', () => {
  it('[J6] refuses strangers, unknown features and nonsense', async () => {
    const body = { mode: 'off', version: 0 };
    expect((await patchSwitch(null, 'why', body)).status).toBe(401);
    for (const role of ['shopper', 'merchant', 'auditor'] as const)
      expect((await patchSwitch(sessions[role], 'why', body)).status, role).toBe(403);
    for (const role of ['shopper', 'merchant'] as const)
      expect((await callWith(sessions[role], GET)).status, role).toBe(403);
    const crossSite = { method: 'PATCH', params: { feature: 'why' }, body, isSameOrigin: false };
    expect((await callWith(sessions.operator, PATCH, crossSite)).status).toBe(403);
    for (const feature of ['purchase', 'Why', '', 'x'.repeat(500), '__proto__']) {
      const answer = await patchSwitch(sessions.operator, feature, body);
      expect([answer.status, (await answer.json()).code], feature).toEqual([404, 'FEATURE_NOT_FOUND']);
    }
    for (const wrong of [
      {},
      { mode: 'off' },
      { mode: 'maybe', version: 0 },
      { mode: 'off', version: -1 },
      [],
      null,
    ])
      expect((await patchSwitch(sessions.operator, 'why', wrong)).status, JSON.stringify(wrong)).toBe(422);
    const other = await patchSwitch(sessions.operator, 'why', { mode: 'off', version: 99 });
    expect([other.status, (await other.json()).code]).toEqual([409, 'VERSION_CONFLICT']);
  });

  it('[J6 L4] shows who switched what since when, and has it in the audit log', async () => {
    const since = new Date();
    const { version } = await find('search');
    await set('search', 'off');
    // The mode it has already is no change.
    expect(
      (await patchSwitch(sessions.operator, 'search', { mode: 'off', version: version + 1 })).status,
    ).toBe(200);
    const id = users.operator;
    expect(await find('search')).toMatchObject({
      isOn: false,
      offBy: 'mode',
      mode: 'off',
      usualMode: 'by_load',
      since: expect.any(Number),
      changedBy: id,
      changedByEmail: `${id}@example.com`,
      version: version + 1,
    });
    await set('search', 'by_load');
    const entries = await db().auditEntry.findMany({
      where: { action: 'side_feature.switch', subjectId: 'search', at: { gte: since } },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ actorId, before, after }) => [actorId, before, after])).toEqual([
      [id, { mode: 'by_load' }, { mode: 'off' }],
      [id, { mode: 'off' }, { mode: 'by_load' }],
    ]);
  });

  it('[J6] one of two operators at once is told that the other was faster', async () => {
    const { version } = await find('reminders');
    const answers = await Promise.all(
      (['off', 'on'] as const).map((mode) => patchSwitch(sessions.operator, 'reminders', { mode, version })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await set('reminders', 'on');
  });
});

describe('challenges in a process', () => {
  const CASES: [ChallengeKind[], Partial<Record<'slider' | 'pow' | 'none', string>>][] = [
    [[], { slider: 'slider arithmetic sound', pow: 'pow', none: '' }],
    [['slider'], { slider: 'arithmetic sound' }],
    [['arithmetic'], { slider: 'slider sound' }],
    // People who can't see have the beeps only.
    [['sound'], { slider: 'slider arithmetic pow' }],
    [['slider', 'arithmetic'], { slider: 'pow sound' }],
    [['slider', 'arithmetic', 'sound'], { slider: 'pow' }],
    [['slider', 'arithmetic', 'pow'], { slider: 'sound' }],
    [['pow'], { slider: 'slider arithmetic sound', pow: '' }],
  ];
  it('[J6 G4] leave a way for everybody, as long as one of them is on', async () => {
    const requester = { userId: newId('user'), address: null };
    for (const [off, expected] of CASES) {
      await setAll(Object.fromEntries(off.map((kind) => [`challenge_${kind}`, 'off'])));
      for (const [challenge, kinds] of Object.entries(expected))
        expect(
          challengesFor({ challenge: challenge as 'slider', challengeAlternative: 'puzzle' }, requester).join(
            ' ',
          ),
          `${challenge} without ${off.join(', ')}`,
        ).toBe(kinds);
    }
    await setAll({});
  });
});
