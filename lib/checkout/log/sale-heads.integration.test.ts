import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSaleLog } from '@/lib/admin/live/read-sale-log';
import { createSaleFixture } from '@/lib/checkout/testing/sale-fixture';
import type { LogHead } from '@/lib/contract/shapes/decision-log';
import { closeDb, db } from '@/lib/db/client';
import { publishLogs } from '@/lib/decision-log/publish-logs';
import { readLatestHead } from '@/lib/decision-log/read-heads';
import { createSaleHeadConsumers } from '@/lib/decision-log/sale-head-consumer';
import { logDecisions } from '@/lib/decision-log/testing/log-decisions';
import { consumeMessages } from '@/lib/outbox/consume-messages';
import { guardedSend } from '@/lib/outbox/send-guarded';
import { closeRedis } from '@/lib/redis/client';

type Got = { body: string; headers: Record<string, string> };
const got: Got[] = [];
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    got.push({ body: Buffer.concat(parts).toString(), headers: request.headers as Record<string, string> });
    response.writeHead(204).end();
  });
});
let address = '';
beforeEach(async () => {
  got.length = 0;
  await db().$executeRaw`DELETE FROM outgoing_messages WHERE topic = 'sale-head'`;
  if (!server.listening) await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/heads`;
});
afterEach(() => db().$executeRaw`DELETE FROM outgoing_messages WHERE topic = 'sale-head'`);
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await closeRedis();
  await closeDb();
});

const saleWith = async (logWebhookUrl: string | null) => {
  const { saleId } = await createSaleFixture({ users: 0 });
  return db().sale.update({ where: { id: saleId }, data: { logWebhookUrl } });
};
/** Logs a decision and signs a head that covers it. */
async function signNext(saleId: string, number: number): Promise<LogHead> {
  await db().$transaction((tx) =>
    logDecisions(tx, saleId, [{ kind: 'entered', at: 1, user: `u${number}`, detail: { number } }]),
  );
  await expect
    .poll(async () => {
      await publishLogs();
      return (await readLatestHead(saleId))?.size;
    })
    .toBe(number + 1);
  return (await readLatestHead(saleId)) as LogHead;
}
const consumer = () => createSaleHeadConsumers(guardedSend({ allowsPrivate: true }))[0] as never;
const makeDue = () =>
  db()
    .$executeRaw`UPDATE outgoing_messages SET next_attempt_at = now() WHERE topic = 'sale-head' AND sent_at IS NULL`;
const waiting = () =>
  db().$queryRaw<{ head: string; attempts: number }[]>`
    SELECT payload->>'head' AS head, attempts FROM outgoing_messages WHERE topic = 'sale-head' AND sent_at IS NULL`;

describe('[M4] heads of a sale with an address of its own', () => {
  it('arrive there, and the secret that its merchant is shown verifies them', async () => {
    const sale = await saleWith(address);
    const other = await saleWith(null);
    await signNext(other.id, 0);
    const head = await signNext(sale.id, 0);
    expect(await consumeMessages(consumer())).toMatchObject({ status: 'consumed', sent: 1 });
    const merchant = { userId: sale.merchantId, role: 'merchant' as const };
    const secret = (await readSaleLog(merchant, sale.id))?.ownAddress?.secret as string;
    expect(got).toHaveLength(1);
    const [{ body, headers }] = got as [Got];
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'log.head', data: head });
    await db().sale.update({ where: { id: other.id }, data: { logWebhookUrl: address } });
    const ofOther = await readSaleLog({ userId: other.merchantId, role: 'merchant' }, other.id);
    expect(() => new Webhook(ofOther?.ownAddress?.secret as string).verify(body, headers)).toThrow();
  });

  it('show their secret to nobody who may not manage the sale, and to nobody their path', async () => {
    const sale = await saleWith(`${address}/secret-path`);
    const seen = await readSaleLog({ userId: 'somebody', role: 'support' }, sale.id);
    expect(seen?.ownAddress).toEqual({ host: new URL(address).host, secret: null });
    expect(await readSaleLog({ userId: 'another', role: 'merchant' }, sale.id)).toBeNull();
  });

  it('wait for a dead address, the newest only, while others arrive', async () => {
    const [dead, alive] = await Promise.all([saleWith('http://127.0.0.1:1/heads'), saleWith(address)]);
    const one = consumer();
    await signNext(dead.id, 0);
    await signNext(alive.id, 0);
    await consumeMessages(one);
    expect(got).toHaveLength(1);
    const newest = await signNext(dead.id, 1);
    await consumeMessages(one);
    await makeDue();
    await consumeMessages(one);
    const left = await waiting();
    expect(left.map(({ head }) => JSON.parse(head))).toEqual([newest]);
    await db().sale.update({ where: { id: dead.id }, data: { logWebhookUrl: address } });
    await makeDue();
    // Another process has not seen the address fail.
    await consumeMessages(consumer());
    expect(got).toHaveLength(2);
    expect(JSON.parse(got[1]?.body ?? '').data).toEqual(newest);
  });
});
