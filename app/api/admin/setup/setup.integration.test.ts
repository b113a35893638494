import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Setup } from '@/lib/contract/shapes/preflight';
import { SETUP_CHECK_IDS } from '@/lib/contract/words/preflight';
import { closeDb, db } from '@/lib/db/client';
import { noteBackup } from '@/lib/preflight/backup-note';
import { checkShop } from '@/lib/preflight/check-shop';
import { closeRedis } from '@/lib/redis/client';
import { callWith, sessionOf } from '@/test/support/call-as';
import { makeUser } from '@/test/support/make-sale';
import { GET } from './route';
import { POST } from './test/route';

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const mailDir = mkdtempSync(join(tmpdir(), 'seckill-setup-'));
const calls: { headers: IncomingHttpHeaders; body: string }[] = [];
let answer = 200;
let receiver: Server;
let host: string;
let admin: { userId: string; session: string };

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      calls.push({ headers: request.headers, body });
      response.writeHead(answer).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  Object.assign(process.env, {
    MAIL_DIR: mailDir,
    ALERT_WEBHOOK_URL: `http://${host}/hook-token`,
    ALERT_WEBHOOK_SECRET: SECRET,
  });
  const { userId } = await makeUser('admin');
  admin = { userId, session: await sessionOf(userId) };
});
afterAll(async () => {
  receiver.close();
  receiver.closeAllConnections();
  rmSync(mailDir, { recursive: true, force: true });
  await Promise.all([closeRedis(), closeDb()]);
});

const setup = async (): Promise<Setup> => (await callWith(admin.session, GET)).json();
const attempt = (what: string) => callWith(admin.session, POST, { method: 'POST', body: { what } });
const reasonOf = async (id: string) => (await checkShop()).find((check) => check.id === id)?.reason;

describe('[N1] what is missing before the shop goes live', () => {
  it('has the settings and the parts that the checks before a sale ask for, and names no secret', async () => {
    const answer = await callWith(admin.session, GET);
    const text = await answer.clone().text();
    const { ok, checks, trials }: Setup = await answer.json();
    expect(checks.map(({ id }) => id)).toEqual([...SETUP_CHECK_IDS]);
    expect([ok, trials]).toEqual([false, ['mail', 'alert_webhook']]);
    expect(checks.find(({ id }) => id === 'alerts')).toMatchObject({ ok: true, found: host });
    for (const secret of [
      SECRET,
      'hook-token',
      process.env.ENTRY_SECRET ?? '-',
      process.env.REDIS_URL ?? '-',
    ])
      expect(text).not.toContain(secret);
  });

  it('counts those who can approve, and staff without a second factor; not the banned, not demo accounts', async () => {
    await db().user.updateMany({ where: { id: { not: admin.userId } }, data: { role: 'shopper' } });
    expect(await reasonOf('approvers')).toBe('few');
    expect(await reasonOf('second_factor')).toBe('missing');
    const [banned, demo] = [await makeUser('operator'), await makeUser('admin')];
    await db().user.update({ where: { id: banned.userId }, data: { bannedAt: new Date() } });
    await db().user.update({ where: { id: demo.userId }, data: { isDemo: true } });
    expect(await reasonOf('approvers')).toBe('few');
    const { userId } = await makeUser('operator');
    expect(await reasonOf('approvers')).toBeNull();
    await db().user.updateMany({
      where: { id: { in: [userId, admin.userId] } },
      data: { secondFactorAt: new Date() },
    });
    expect(await reasonOf('second_factor')).toBeNull();
    await makeUser('support');
    expect(await reasonOf('second_factor')).toBe('missing');
  });

  it('knows of a backup once it is noted in the audit log', async () => {
    expect(await reasonOf('backup')).toBe('never');
    await noteBackup('2026-11-27T03:00:00.000Z');
    expect((await setup()).checks.find(({ id }) => id === 'backup')).toMatchObject({ ok: true });
    const [entry] = await db().auditEntry.findMany({ where: { action: 'backup.write' } });
    expect(entry).toMatchObject({ actorId: 'system', after: { takenAt: '2026-11-27T03:00:00.000Z' } });
  });
});

describe('[N1] trying it out', () => {
  it('writes a mail to the one who asks, in their language', async () => {
    await db().user.update({ where: { id: admin.userId }, data: { locale: 'zh-CN' } });
    const to = `${admin.userId}@example.com`;
    expect(await (await attempt('mail')).json()).toEqual({ outcome: 'written', to, detail: null });
    const [name = ''] = readdirSync(mailDir);
    expect(name).toMatch(/^setupTrial-.*\.eml$/);
    expect(readFileSync(join(mailDir, name), 'utf8')).toContain(`To: ${to}`);
  });

  it('calls the webhook with a signature, and says what it answered', async () => {
    const sent = await (await attempt('alert_webhook')).json();
    expect(sent).toEqual({ outcome: 'sent', to: host, detail: null });
    const [call] = calls;
    const headers = call?.headers as Record<string, string>;
    expect(new Webhook(SECRET).verify(call?.body ?? '', headers)).toMatchObject({ type: 'webhook.test' });
    for (answer of [400, 500]) {
      const refused = await (await attempt('alert_webhook')).json();
      expect(refused).toEqual({
        outcome: 'failed',
        to: host,
        detail: `the receiver of alerts answered ${answer}`,
      });
    }
    receiver.close();
    receiver.closeAllConnections();
    expect(await (await attempt('alert_webhook')).json()).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('knows nothing else', async () => {
    for (const what of ['sms', '', null]) {
      const refused = await callWith(admin.session, POST, { method: 'POST', body: { what } });
      expect(refused.status).toBe(422);
    }
  });
});
