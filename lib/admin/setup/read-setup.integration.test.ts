import { afterAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { noteBackup } from '@/scripts/backup/note-backup';
import { makeAccount } from '@/test/support/make-account';
import { readSetup, setupOf } from './read-setup';

afterAll(() => closeDb());

const NOW = Date.parse('2027-03-01T00:00:00Z');
const DAY_MS = 86_400_000;

const READY: ReturnType<typeof env> = {
  ...env(),
  isDemo: false,
  isStaffFactorRequired: true,
  publicUrl: 'https://shop.example',
  isHttps: true,
  trustProxyHops: 1,
  smtpUrl: 'smtps://user:hunter2@mail.example:465',
  logSigningKey: env().logSigningKey ?? ('key' as never),
  alertEmailTo: ['ops@shop.example'],
  stripe: { secretKey: 'sk_live_hunter3', webhookSecret: 'whsec_hunter3', apiUrl: undefined, isLive: true },
};
const FACTS = { approvers: 2, withoutFactor: 0, backupAt: new Date(NOW - DAY_MS), nowMs: NOW };

const stateOf = (settings: Partial<typeof READY>, facts: Partial<typeof FACTS>, id: string) =>
  setupOf({ ...READY, ...settings }, { ...FACTS, ...facts }).steps.find((step) => step.id === id)?.state;

it('[N1] says of each step whether it is done, and never a secret', () => {
  const { steps } = setupOf(READY, FACTS);
  expect(steps.filter(({ state }) => state !== 'done')).toEqual([]);
  expect(JSON.stringify(steps)).not.toMatch(/hunter/);
  for (const secret of [...READY.nextAuthSecrets, ...READY.entrySecrets, ...READY.internalSecrets])
    expect(JSON.stringify(steps)).not.toContain(secret);
});

it.each([
  ['demo', { isDemo: true }, {}, 'todo'],
  ['address', { publicUrl: 'http://shop.example', isHttps: false }, {}, 'todo'],
  ['address', { publicUrl: 'https://localhost:3000' }, {}, 'todo'],
  ['proxy', { trustProxyHops: 0 }, {}, 'advice'],
  ['mail', { smtpUrl: undefined }, {}, 'todo'],
  ['payment', { stripe: null }, {}, 'todo'],
  ['payment', { stripe: { ...READY.stripe, isLive: false } }, {}, 'todo'],
  ['staff', {}, { approvers: 1 }, 'todo'],
  ['factors', {}, { withoutFactor: 1 }, 'advice'],
  ['factors', { isStaffFactorRequired: false }, {}, 'advice'],
  ['signing', { logSigningKey: undefined }, {}, 'advice'],
  ['keys', { entrySecrets: ['n'.repeat(32), 'o'.repeat(32)] as [string, string] }, {}, 'advice'],
  ['backup', {}, { backupAt: null }, 'todo'],
  ['backup', {}, { backupAt: new Date(NOW - 8 * DAY_MS) }, 'todo'],
  ['alerts', { alertEmailTo: [], alertWebhook: null }, {}, 'todo'],
] as const)('[N1] asks for %s when %j %j', (id, settings, facts, state) => {
  expect(stateOf(settings as Partial<typeof READY>, facts as Partial<typeof FACTS>, id)).toBe(state);
  expect(stateOf({}, {}, id)).toBe('done');
});

it('[N1] counts who can approve, and knows the latest backup', async () => {
  const found = async (id: string) => (await readSetup()).steps.find((step) => step.id === id)?.found;
  const before = Number(await found('staff'));
  const { id } = await makeAccount('operator');
  expect(Number(await found('staff'))).toBe(before + 1);
  await db().user.update({ where: { id }, data: { bannedAt: new Date() } });
  expect(Number(await found('staff'))).toBe(before);
  await db().backup.deleteMany();
  expect(await found('backup')).toBeNull();
  await noteBackup(env().databaseUrl, 1_000);
  expect(Date.now() - Date.parse((await found('backup')) ?? '')).toBeLessThan(60_000);
});
