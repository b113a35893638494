import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, it } from 'vitest';
import { newWebhook, webhookEdit } from '@/lib/contract/shapes/webhook';
import { WEBHOOK_KINDS } from '@/lib/contract/words/webhook';
import { closeDb, db } from '@/lib/db/client';
import { NotAllowedError } from '@/lib/errors/not-allowed-error';
import { serveWebhook } from '@/lib/webhook/serve-webhook';
import { makeWebhook } from '@/lib/webhook/testing/make-webhook';
import { makeUser } from '@/test/support/make-sale';
import type { Actor } from '../actor';
import { addWebhook } from './add-webhook';
import { editWebhook } from './edit-webhook';
import { listDeliveries } from './list-deliveries';
import { listWebhooks } from './list-webhooks';
import { removeWebhook } from './remove-webhook';
import { replayDelivery } from './replay-delivery';
import { rotateWebhookSecret } from './rotate-secret';
import { sendTest } from './send-test';

afterAll(closeDb);

const URL_OF = 'https://hooks.example.com/in?key=x';
const kinds = ['order.paid' as const];
const page = { limit: 20 };

async function makeShop() {
  const { userId: shopId } = await makeUser('merchant');
  await db().shop.create({ data: { id: shopId, name: 'Shop' } });
  const add = (userId: string, role: string) =>
    db().shopMember.create({ data: { shopId, userId, role, addedBy: shopId } });
  await add(shopId, 'owner');
  const owner: Actor = { userId: shopId, role: 'merchant' };
  const { userId } = await makeUser('merchant');
  await add(userId, 'editor');
  return { shopId, owner, editor: { userId, role: 'merchant' } as Actor };
}
async function added(owner: Actor, shopId: string) {
  const result = await addWebhook(owner, shopId, { url: URL_OF, kinds });
  if (typeof result === 'string') throw new Error(result);
  return { ...result, id: result.webhook.webhookId };
}
/** Sends what is due, and returns what was sent. */
async function deliver(webhookId: string, status = 204) {
  const sent: { headers: Record<string, string>; body: string }[] = [];
  await serveWebhook(webhookId, async (_, headers, body) => {
    sent.push({ headers, body: String(body) });
    return status;
  });
  return sent;
}

describe('[O6] a webhook of a shop', () => {
  it('shows its secret once, and is listed with what waits for it', async () => {
    const { shopId, owner } = await makeShop();
    const { webhook, secret, id } = await added(owner, shopId);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const row = await db().webhookEndpoint.findUniqueOrThrow({ where: { id } });
    expect(JSON.stringify(row)).not.toContain(secret.slice(6));
    await sendTest(owner, shopId, id);
    const listed = await listWebhooks(owner, shopId);
    expect(listed).toEqual({ webhooks: [{ ...webhook, waiting: 1 }] });
    expect(JSON.stringify(listed)).not.toContain(secret.slice(6));
    const audit = await db().auditEntry.findMany({ where: { subjectKind: 'webhook', subjectId: id } });
    expect(audit).toMatchObject([{ action: 'webhook.add', actorId: shopId }]);
    expect(JSON.stringify(audit[0]?.after)).not.toMatch(/whsec_|key=x/);
  });

  it('is for the owners of its shop and admins; to another shop it does not exist', async () => {
    const [one, other] = [await makeShop(), await makeShop()];
    const { id } = await added(one.owner, one.shopId);
    const test = await sendTest(one.owner, one.shopId, id);
    const deliveryId = typeof test === 'string' ? '' : test.deliveryId;
    const calls = (actor: Actor, shopId: string) => [
      () => editWebhook(actor, shopId, id, { enabled: false }),
      () => rotateWebhookSecret(actor, shopId, id),
      () => sendTest(actor, shopId, id),
      () => listDeliveries(actor, shopId, id, page),
      () => replayDelivery(actor, shopId, id, deliveryId),
      () => removeWebhook(actor, shopId, id),
    ];
    for (const call of calls(other.owner, one.shopId)) expect(await call()).toBe('no_shop');
    for (const call of calls(other.owner, other.shopId)) expect(await call()).toBe('no_webhook');
    for (const call of calls(one.editor, one.shopId)) await expect(call()).rejects.toThrow(NotAllowedError);
    const operator: Actor = { userId: 'user_operator', role: 'operator' };
    for (const call of calls(operator, one.shopId)) await expect(call()).rejects.toThrow(NotAllowedError);
    await expect(listWebhooks(one.editor, one.shopId)).rejects.toThrow(NotAllowedError);
    expect(await listWebhooks(other.owner, one.shopId)).toBe('no_shop');
    expect(await listWebhooks(other.owner, other.shopId)).toEqual({ webhooks: [] });
    const theirs = await added(other.owner, other.shopId);
    expect(await replayDelivery(other.owner, other.shopId, theirs.id, deliveryId)).toBe('no_delivery');
    const admin: Actor = { userId: 'user_admin', role: 'admin' };
    expect(await listWebhooks(admin, one.shopId)).toMatchObject({
      webhooks: [{ webhookId: id, disabledAt: null }],
    });
    expect(await listWebhooks(admin, 'user_none')).toBe('no_shop');
  });

  it('there are at most ten of, also when they are added at once', async () => {
    const { shopId, owner } = await makeShop();
    for (let made = 0; made < 8; made += 1) await makeWebhook(shopId, URL_OF);
    const results = await Promise.all(
      Array.from({ length: 4 }, () => addWebhook(owner, shopId, { url: URL_OF, kinds })),
    );
    expect(results.filter((result) => result === 'full')).toHaveLength(2);
    expect(await db().webhookEndpoint.count({ where: { shopId } })).toBe(10);
  });

  it.each([
    'http://hooks.example.com/',
    'http://169.254.169.254/latest/meta-data',
    'https://169.254.169.254/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::1]/',
    'https://localhost/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://10.1.2.3:8443/',
    'https://shop.internal/',
  ])('goes to no private address, and not without TLS: %s', async (url) => {
    const { shopId, owner } = await makeShop();
    expect(await addWebhook(owner, shopId, { url: newWebhook.parse({ url, kinds }).url, kinds })).toBe(
      'refused',
    );
  });

  it('has an address and kinds that make sense', () => {
    const bad = [
      { url: `https://hooks.example.com/${'x'.repeat(10_000)}`, kinds },
      { url: 'https://user:password@hooks.example.com/', kinds },
      { url: 'https://hooks.example.com/#part', kinds },
      { url: 'ftp://hooks.example.com/', kinds },
      { url: 'javascript:alert(1)', kinds },
      { url: '', kinds },
      { url: URL_OF, kinds: [] },
      { url: URL_OF, kinds: ['order.unheard_of'] },
      { url: URL_OF, kinds: [...kinds, ...kinds] },
      { url: URL_OF, kinds, secret: 'whsec_mine' },
    ];
    for (const each of bad)
      expect(newWebhook.safeParse(each).success, JSON.stringify(each).slice(0, 80)).toBe(false);
    expect(newWebhook.safeParse({ url: URL_OF, kinds: [...WEBHOOK_KINDS] }).success).toBe(true);
    expect(webhookEdit.safeParse({}).success).toBe(false);
  });

  it('signs with the old secret and the new one for a day after a change', async () => {
    const { shopId, owner } = await makeShop();
    const { id, secret } = await added(owner, shopId);
    const rotated = await rotateWebhookSecret(owner, shopId, id);
    if (typeof rotated === 'string') throw new Error(rotated);
    expect(rotated.secret).not.toBe(secret);
    const inADay = Date.now() + 86_400_000;
    expect(Math.abs((rotated.webhook.oldSecretUntil ?? 0) - inADay)).toBeLessThan(60_000);
    await sendTest(owner, shopId, id);
    const [post] = await deliver(id);
    if (!post) throw new Error('one post expected');
    for (const each of [secret, rotated.secret]) new Webhook(each).verify(post.body, post.headers);
  });

  it('that is off gets nothing and takes no test; on again, what has failed before counts no more', async () => {
    const { shopId, owner } = await makeShop();
    const { id } = await added(owner, shopId);
    await sendTest(owner, shopId, id);
    expect(await editWebhook(owner, shopId, id, { enabled: false })).toMatchObject({
      disabledWhy: 'staff',
      kinds,
    });
    expect(await deliver(id)).toEqual([]);
    expect(await sendTest(owner, shopId, id)).toBe('off');
    await db().webhookEndpoint.update({ where: { id }, data: { failingSince: new Date(0) } });
    const on = await editWebhook(owner, shopId, id, { enabled: true, kinds: ['sale.ended'] });
    expect(on).toMatchObject({ disabledAt: null, failingSince: null, kinds: ['sale.ended'] });
    expect(await deliver(id)).toHaveLength(1);
    expect(await removeWebhook(owner, shopId, id)).toEqual({ webhookId: id });
    expect(await db().webhookDelivery.count({ where: { endpointId: id } })).toBe(0);
  });

  it('takes five tests at a time, and lists deliveries by status and page', async () => {
    const { shopId, owner } = await makeShop();
    const { id } = await added(owner, shopId);
    for (let test = 0; test < 5; test += 1)
      expect(await sendTest(owner, shopId, id)).toMatchObject({ status: 'waiting' });
    expect(await sendTest(owner, shopId, id)).toBe('tests_wait');
    await deliver(id);
    await sendTest(owner, shopId, id);
    const first = await listDeliveries(owner, shopId, id, { limit: 4 });
    if (!first || typeof first === 'string' || !first.nextCursor) throw new Error('a page expected');
    const second = await listDeliveries(owner, shopId, id, { limit: 4, cursor: first.nextCursor });
    if (!second || typeof second === 'string') throw new Error('a page expected');
    expect([first.deliveries.length, second.deliveries.length, second.nextCursor]).toEqual([4, 2, null]);
    expect(await listDeliveries(owner, shopId, id, { limit: 4, status: 'waiting' })).toMatchObject({
      deliveries: [{ status: 'waiting', lastStatus: null }],
    });
    expect(await listDeliveries(owner, shopId, id, { limit: 4, cursor: 'bm90' })).toBeNull();
  });

  it('gets a delivery again with the same id and body, also one that was given up', async () => {
    const { shopId, owner } = await makeShop();
    const { id } = await added(owner, shopId);
    const test = await sendTest(owner, shopId, id);
    if (typeof test === 'string') throw new Error(test);
    await db().webhookDelivery.updateMany({ where: { endpointId: id }, data: { dueAt: new Date(0) } });
    const [first] = await deliver(id, 500);
    expect(await listDeliveries(owner, shopId, id, page)).toMatchObject({
      deliveries: [{ status: 'failed' }],
    });
    expect(await replayDelivery(owner, shopId, id, test.deliveryId)).toMatchObject({ status: 'waiting' });
    const [again] = await deliver(id);
    expect(again?.body).toBe(first?.body);
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    for (const wrong of ['0', 'x', '9'.repeat(40)])
      expect(await replayDelivery(owner, shopId, id, wrong)).toBe('no_delivery');
  });
});
