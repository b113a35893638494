import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyReadings } from '@/lib/alert/apply-readings';
import { claimEvaluation, markApplied } from '@/lib/alert/claim-evaluation';
import { readAlertRules } from '@/lib/alert/read-rules';
import type { Reading } from '@/lib/alert/rules';
import { closeDb, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { consumeMessages } from '@/lib/outbox/consume-messages';
import { recordDeadLetter } from '@/lib/outbox/record-dead-letter';
import { closeRedis } from '@/lib/redis/client';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { acknowledgeAdminAlert } from './acknowledge-admin-alert';
import { createAlertConsumers } from './alert-consumers';
import { editAdminRule } from './edit-admin-rule';
import { evaluateAlerts } from './evaluate-alerts';
import { listAdminAlerts } from './list-admin-alerts';
import { makeDue, nextRound, statesOf } from './testing/rounds';

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const mailDir = mkdtempSync(join(tmpdir(), 'seckill-alerts-'));

type Call = { headers: IncomingHttpHeaders; body: string };
const calls: Call[] = [];
let answer = 200;
let receiver: Server;

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
  Object.assign(process.env, {
    MAIL_DIR: mailDir,
    ALERT_EMAIL_TO: 'ops@example.com, night@example.com',
    ALERT_WEBHOOK_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
    ALERT_WEBHOOK_SECRET: SECRET,
  });
});
beforeEach(async () => {
  await db().alert.deleteMany();
  await db().outgoingMessage.deleteMany();
  await db().deadLetter.deleteMany();
  calls.length = 0;
  answer = 200;
});
afterAll(async () => {
  receiver.close();
  receiver.closeAllConnections();
  rmSync(mailDir, { recursive: true, force: true });
  await closeRedis();
  await closeDb();
});

let letters = 0;
const failSomething = (saleId?: string) => {
  letters += 1;
  const letter = { consumer: 'points', messageId: `m${letters}`, saleId, payload: {}, error: 'no' };
  return recordDeadLetter(letter);
};
const repairAll = () => db().$executeRaw`UPDATE dead_letters SET resolved_at = now(), resolution = 'retried'`;
const states = () => statesOf('dead_letters', 'points');
const told = async () => {
  const rows = await db().outgoingMessage.findMany({ orderBy: { id: 'asc' } });
  return rows.map(({ topic, payload }) => `${topic} ${(payload as { kind: string }).kind}`);
};
const FIRED = ['alert-mail firing', 'alert-mail firing', 'alert-webhook firing'];
const ENDED = FIRED.map((each) => each.replace('firing', 'resolved'));

describe('evaluation', () => {
  it('[J1] several workers evaluate a round once and tell of it once', async () => {
    await failSomething();
    await makeDue();
    const rounds = await Promise.all(Array.from({ length: 8 }, () => evaluateAlerts()));
    expect(rounds.filter(({ status }) => status === 'evaluated')).toEqual([{ status: 'evaluated', told: 1 }]);
    expect(rounds.filter(({ status }) => status === 'not_due')).toHaveLength(7);
    expect(await told()).toEqual(FIRED);
    await nextRound();
    expect(await told()).toEqual(FIRED);
  });

  it('[J1] figures that take longer to read than a round lasts count', async () => {
    await failSomething();
    await makeDue();
    const { round } = await db().$transaction(
      async (tx) => {
        await tx.$executeRaw`LOCK TABLE dead_letters`;
        const round = evaluateAlerts();
        await expect
          .poll(async () => Number((await db().alertEvaluation.findFirstOrThrow()).at))
          .toBeGreaterThan(0);
        await makeDue();
        expect(await claimEvaluation()).not.toBeNull();
        return { round };
      },
      { timeout: 60_000 },
    );
    expect(await round).toEqual({ status: 'evaluated', told: 1 });
  });

  it('[J1] a round that a later one overtook changes nothing', async () => {
    await makeDue();
    const mine = await claimEvaluation();
    if (!mine) throw new Error('not due');
    expect(await claimEvaluation()).toBeNull();
    const counts = (laterMs: number) =>
      transaction((tx) => markApplied(tx, new Date(mine.getTime() + laterMs)));
    expect(await counts(1)).toBe(true);
    expect(await counts(0)).toBe(false);
    expect(await counts(1)).toBe(false);
    expect(await counts(2)).toBe(true);
    // Postgres's clock has been set back by an hour.
    expect(await counts(3_600_000)).toBe(true);
    expect(await counts(3)).toBe(true);
  });

  it('[J1] an alert ends a minute after its cause, is told of again, and stays in the history', async () => {
    await failSomething();
    await nextRound();
    await repairAll();
    await nextRound();
    expect(await states()).toEqual(['firing']);
    await nextRound(20);
    expect(await states()).toEqual(['firing']);
    await nextRound(41);
    expect(await states()).toEqual(['resolved']);
    expect(await told()).toEqual([...FIRED, ...ENDED]);
    await failSomething();
    await nextRound();
    expect(await states()).toEqual(['resolved', 'firing']);
    expect(await told()).toEqual([...FIRED, ...ENDED, ...FIRED]);
  });

  it('[J1] a cause that comes back within the minute is the same alert', async () => {
    await failSomething();
    await nextRound();
    await repairAll();
    await nextRound();
    await failSomething();
    await nextRound(59);
    await nextRound(59);
    expect(await states()).toEqual(['firing']);
    expect(await told()).toEqual(FIRED);
  });

  it('[J1] an open alert follows its reading also where a round has more readings than it may open alerts', async () => {
    const of = (subject: string, value: number): Reading => ({
      rule: 'dead_letters',
      subject,
      saleId: null,
      value,
    });
    const round = (readings: Reading[]) =>
      transaction((tx) => applyReadings(tx, { known: ['dead_letters'], readings, at: new Date() }));
    await round([of('points', 3)]);
    const quiet = Array.from({ length: 1_000 }, (_, n) => of(`quiet ${n}`, 0));
    expect(await round([...quiet, of('points', 4), of('unseen', 1)])).toEqual([]);
    const open = await db().alert.findMany({ where: { rule: 'dead_letters' } });
    expect(open).toMatchObject([{ subject: 'points', state: 'firing', value: 4, clearSince: null }]);
  });

  it('[J1] a threshold is changed under its version; a rule that is switched off ends its alerts', async () => {
    const rule = async () => (await readAlertRules()).find(({ id }) => id === 'dead_letters');
    const operator = await makeUser('operator');
    const edit = (version: number, change: object) =>
      editAdminRule(operator, { ruleId: 'dead_letters', version, ...change });
    await failSomething();
    await nextRound();
    expect(await edit(0, { threshold: 5 })).toMatchObject({ status: 'edited', rule: { version: 1 } });
    expect(await edit(0, { threshold: 7 })).toMatchObject({ status: 'conflict', rule: { threshold: 5 } });
    expect(await edit(9, { threshold: 7 })).toMatchObject({ status: 'conflict', rule: { version: 1 } });
    await nextRound();
    await nextRound(61);
    expect(await states()).toEqual(['resolved']);
    await edit(1, { threshold: 0 });
    await nextRound();
    expect(await states()).toEqual(['resolved', 'firing']);
    await edit(2, { enabled: false });
    await nextRound();
    expect(await states()).toEqual(['resolved', 'resolved']);
    expect(await rule()).toMatchObject({ threshold: 0, enabled: false, version: 3, defaultThreshold: 0 });
    await edit(3, { enabled: true });
    const audit = await db().auditEntry.findMany({
      where: { subjectKind: 'alert_rule' },
      orderBy: { id: 'asc' },
    });
    expect(audit.map(({ before, after }) => [before, after])).toEqual([
      [
        { threshold: 0, enabled: true },
        { threshold: 5, enabled: true },
      ],
      [
        { threshold: 5, enabled: true },
        { threshold: 0, enabled: true },
      ],
      [
        { threshold: 0, enabled: true },
        { threshold: 0, enabled: false },
      ],
      [
        { threshold: 0, enabled: false },
        { threshold: 0, enabled: true },
      ],
    ]);
  });
});

describe('who is told', () => {
  const deliverAll = async () => {
    await db().$executeRaw`UPDATE outgoing_messages SET next_attempt_at = now() WHERE sent_at IS NULL`;
    for (const consumer of createAlertConsumers().consumers) await consumeMessages(consumer);
    return db().outgoingMessage.count({ where: { sentAt: null } });
  };

  it('[J1] gets a mail each, and the webhook a signed call', async () => {
    await failSomething();
    await nextRound();
    expect(await deliverAll()).toBe(0);
    const [alert] = await db().alert.findMany();
    const mails = readdirSync(mailDir).filter((name) => name.startsWith(`alert-${alert?.id}-firing`));
    expect(mails).toHaveLength(2);
    const texts = mails.map((name) => readFileSync(join(mailDir, name), 'utf8'));
    expect(texts.some((text) => text.includes('To: ops@example.com'))).toBe(true);
    expect(texts.some((text) => text.includes('To: night@example.com'))).toBe(true);
    for (const text of texts) expect(text).toContain('Subject: [Seckill] Alert: dead_letters (points)');
    expect(calls).toHaveLength(1);
    const { headers, body } = calls[0] as Call;
    expect(headers['webhook-id']).toBe(`alert_${alert?.id}_firing`);
    expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'alert.firing',
      data: { alertId: String(alert?.id), rule: 'dead_letters', subject: 'points', value: 1, threshold: 0 },
    });
    const forged = body.replace('points', 'mail');
    expect(() => new Webhook(SECRET).verify(forged, headers as Record<string, string>)).toThrow();
  });

  it('[J1] gets one mail of many that begin at once, and the webhook a call for each', async () => {
    const many = 60;
    for (let n = 0; n < many; n += 1)
      await recordDeadLetter({ consumer: `consumer-${n}`, messageId: 'm', payload: {}, error: 'no' });
    await nextRound();
    const hooks = Array.from({ length: many }, () => 'alert-webhook firing');
    expect(await told()).toEqual(['alert-mail several', 'alert-mail several', ...hooks]);
    await deliverAll();
    const mails = readdirSync(mailDir).filter((name) => name.startsWith('alerts-'));
    expect(mails).toHaveLength(2);
    const [mail = ''] = readFileSync(join(mailDir, mails[0] ?? ''), 'utf8').split('Content-Type: text/html');
    expect(mail).toContain('Subject: [Seckill] 60 alerts at once');
    expect(mail.match(/Alert: dead_letters \(consumer-\d+\) is 1 count; the threshold is 0\./g)).toHaveLength(
      50,
    );
    expect(mail).toContain('and 10 more');
    await repairAll();
    await nextRound();
    await nextRound(61);
    expect((await told()).filter((one) => one.startsWith('alert-mail'))).toHaveLength(4);
  });

  it('[J1 I2] a receiver that is down gets the same call again, later', async () => {
    await failSomething();
    await nextRound();
    answer = 503;
    expect(await deliverAll()).toBe(1);
    const [waiting] = await db().outgoingMessage.findMany({ where: { sentAt: null } });
    expect(waiting).toMatchObject({ topic: 'alert-webhook', attempts: 1 });
    expect(waiting?.lastError).toContain('503');
    expect(waiting?.nextAttemptAt.getTime()).toBeGreaterThan(waiting?.createdAt.getTime() ?? 0);
    answer = 204;
    expect(await deliverAll()).toBe(0);
    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(calls).toHaveLength(2);
  });

  it('[J1 E6] one that never takes it makes a dead letter, and no other waits for it', async () => {
    await failSomething();
    await nextRound();
    answer = 400;
    for (let round = 0; round < 10; round += 1) await deliverAll();
    expect(await db().outgoingMessage.count({ where: { sentAt: null } })).toBe(0);
    const buried = await db().deadLetter.findMany({ where: { consumer: 'alert-webhook' } });
    expect(buried.map(({ error }) => error)).toEqual(['the receiver of alerts answered 400']);
    expect(createAlertConsumers().breakers.map(({ state }) => state)).toEqual(['closed', 'closed']);
  });
});

describe('the admin area', () => {
  const page = { limit: 20 };
  const active = { state: 'active' } as const;

  it('[J1] a merchant sees the alerts of its own sales, an operator all', async () => {
    const mine = await makeSale();
    const other = await makeSale();
    const operator = await makeUser('operator');
    for (const { sale } of [mine, other]) {
      const at = new Date();
      const alert = { rule: 'outbox_lag', subject: sale.saleId, saleId: sale.saleId, since: at, firedAt: at };
      await db().alert.create({ data: { ...alert, state: 'firing', value: 20, peak: 20, threshold: 10 } });
    }
    await failSomething();
    await nextRound();
    const seen = await listAdminAlerts(mine.merchant, page, { ...active });
    expect(seen?.alerts).toMatchObject([{ saleId: mine.sale.saleId, saleTitle: 'Lantern', state: 'firing' }]);
    expect(seen).toMatchObject({ firing: 1, unacknowledged: 1 });
    const foreign = await listAdminAlerts(mine.merchant, page, { ...active, saleId: other.sale.saleId });
    expect(foreign?.alerts).toEqual([]);
    const all = await listAdminAlerts(operator, page, active);
    expect(all?.alerts.map(({ rule }) => rule)).toEqual(['dead_letters', 'outbox_lag', 'outbox_lag']);
    const [otherAlert] = (await listAdminAlerts(other.merchant, page, active))?.alerts ?? [];
    expect(await acknowledgeAdminAlert(mine.merchant, otherAlert?.id ?? '', 'mine')).toBeNull();
    expect((await listAdminAlerts(other.merchant, page, active))?.unacknowledged).toBe(1);
  });

  it('[J1] an alert is acknowledged once, with a note and by whom', async () => {
    const [first, second] = [await makeUser('operator'), await makeUser('admin')];
    await failSomething();
    await nextRound();
    const [alert] = (await listAdminAlerts(first, page, active))?.alerts ?? [];
    const id = alert?.id ?? '';
    const acknowledged = await acknowledgeAdminAlert(first, id, 'on it');
    expect(acknowledged).toMatchObject({ acknowledgedBy: first.userId, note: 'on it' });
    expect(acknowledged?.acknowledgedByEmail).toBe(`${first.userId}@example.com`);
    expect(await acknowledgeAdminAlert(second, id, 'me too')).toEqual(acknowledged);
    expect(await listAdminAlerts(first, page, active)).toMatchObject({ firing: 1, unacknowledged: 0 });
    const recorded = await db().auditEntry.findMany({ where: { subjectKind: 'alert', subjectId: id } });
    expect(recorded).toMatchObject([{ actorId: first.userId, action: 'alert.acknowledge' }]);
    for (const wrong of ['', 'x', '0', '9999999999999999999', "1'"])
      expect(await acknowledgeAdminAlert(first, wrong, undefined)).toBeNull();
  });

  it('[J1] the history is read page by page, newest first', async () => {
    const operator = await makeUser('operator');
    const at = new Date();
    await db().alert.createMany({
      data: Array.from({ length: 5 }, (_, n) => ({
        rule: 'dead_letters',
        subject: `s${n}`,
        state: 'resolved',
        value: 0,
        peak: 1,
        threshold: 0,
        since: at,
        firedAt: at,
        resolvedAt: at,
      })),
    });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const next = await listAdminAlerts(operator, { limit: 2, cursor }, { state: 'resolved' });
      seen.push(...(next?.alerts ?? []).map(({ subject }) => subject));
      cursor = next?.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(['s4', 's3', 's2', 's1', 's0']);
    expect((await listAdminAlerts(operator, page, active))?.alerts).toEqual([]);
    expect(await listAdminAlerts(operator, { limit: 2, cursor: 'bm9uZQ' }, active)).toBeNull();
  });
});
