import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptInvitation, lookAtInvitation } from '@/lib/access/accept-invitation';
import { inviteStaff } from '@/lib/access/invite-staff';
import { userOfSession } from '@/lib/account/current-user';
import type { ShopRole, ShopTopic } from '@/lib/contract/words/shop';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { sessionOf } from '@/test/support/call-as';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { makeAccount, PASSWORD } from '@/test/support/make-account';
import { makeDraft, makeUser } from '@/test/support/make-sale';
import type { Actor } from '../actor';
import { createCampaign } from '../campaigns/create-campaign';
import { createProduct } from '../products/create-product';
import { listAdminProducts } from '../products/list-admin-products';
import { editSale } from '../sales/edit-sale';
import { readAdminSale } from '../sales/read-admin-sale';
import { editUser } from '../users/edit-user';
import { editMember } from './edit-member';
import { editShop } from './edit-shop';
import { inviteMember } from './invite-member';
import { listShops } from './list-shops';
import { readShop } from './read-shop';
import { removeMember } from './remove-member';
import { withdrawInvitation } from './withdraw-invitation';

const mailDir = keepMailsApart();
const caller = { address: '198.51.100.9', headers: new Headers() };

beforeEach(() => cacheRedis().flushdb());
afterAll(() => Promise.all([closeRedis(), closeDb()]));

/** Makes a shop with a sale. */
async function makeShop() {
  const { sale, merchant } = await makeDraft();
  const { productId } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
  return {
    productId,
    sale,
    owner: { ...merchant, locale: 'en' as const, name: 'Ann' },
    shopId: merchant.userId,
  };
}

async function newMember(shopId: string, role: ShopRole = 'editor', topics?: ShopTopic[]): Promise<Actor> {
  const { userId } = await makeUser('merchant');
  await db().shopMember.create({
    data: { shopId, userId, role, addedBy: shopId, ...(topics && { topics }) },
  });
  return { userId, role: 'merchant' };
}

type Owner = Awaited<ReturnType<typeof makeShop>>['owner'];

/** Invites somebody, and reads the link from the mail. */
async function invited(owner: Owner, shopId: string, email: string, role: ShopRole = 'editor') {
  expect(await inviteMember(owner, shopId, { email, role, topics: ['settings'] })).toEqual({
    status: 'invited',
  });
  const row = await db().invitation.findFirstOrThrow({ where: { email, shopId, withdrawnAt: null } });
  const mail = await readFile(join(mailDir.path, `invitation-${row.id}.eml`), 'utf8');
  const [, token = ''] = /invite#([\w-]+)/.exec(mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')) ?? [];
  return { token, mail, row };
}
const accept = (token: string, password = 'long enough') =>
  acceptInvitation({ token, password, name: 'Sue' }, caller);
const emailOf = () => `${newId('i')}@example.com`;
const standingOf = (shopId: string, userId: string) =>
  db().shopMember.findUnique({ where: { shopId_userId: { shopId, userId } } });

describe('an invitation into a shop', () => {
  it('[N1 L4] is a mail whose link makes an account and a member, once; neither the inviter nor the database has it', async () => {
    const { owner, shopId } = await makeShop();
    const email = emailOf();
    const { token, mail, row } = await invited(owner, shopId, email);
    expect(mail).toContain(`To: ${email}`);
    expect(JSON.stringify(row)).not.toContain(token);
    expect(await lookAtInvitation(token, caller)).toMatchObject({ email, shop: { shopId, role: 'editor' } });
    expect(await accept(token)).toEqual({ status: 'accepted', email });
    expect(await accept(token)).toEqual({ status: 'invalid' });
    const user = await db().user.findUniqueOrThrow({ where: { email } });
    expect(user.role).toBe('merchant');
    expect(await standingOf(shopId, user.id)).toMatchObject({ role: 'editor', topics: ['settings'] });
    // Nobody who is invited by a shop opens one.
    expect(await db().shop.count({ where: { id: user.id } })).toBe(0);
    expect(
      await db().auditEntry.findMany({
        where: { subjectId: { in: [shopId, user.id] }, action: { contains: 'invit' } },
      }),
    ).toMatchObject([
      { action: 'shop.invite', after: { email, shopRole: 'editor' } },
      { action: 'invitation.accept', after: { shop: shopId, shopRole: 'editor', topics: ['settings'] } },
    ]);
  });

  it('[N1 L4] makes a shopper a merchant, and leaves who is one signed in', async () => {
    const { owner, shopId } = await makeShop();
    const [shopper, merchant] = await Promise.all([makeAccount(), makeAccount('merchant')]);
    for (const [user, goesOn] of [
      [shopper, false],
      [merchant, true],
    ] as const) {
      const session = await sessionOf(user.id);
      const { token } = await invited(owner, shopId, user.email, 'viewer');
      expect(await accept(token, 'wrong')).toEqual({ status: 'wrong' });
      expect(await accept(token, PASSWORD)).toMatchObject({ status: 'accepted' });
      expect((await userOfSession(session)) !== null).toBe(goesOn);
      expect(await standingOf(shopId, user.id)).toMatchObject({ role: 'viewer' });
    }
  });

  it('[N1 L4] withdraws none of another shop or of an admin, and is found by its own kind of hash alone', async () => {
    const [one, other] = await Promise.all([makeShop(), makeShop()]);
    const email = emailOf();
    const staff = await inviteStaff({ email, role: 'support', invitedBy: 'command' });
    const first = await invited(one.owner, one.shopId, email);
    const second = await invited(other.owner, other.shopId, email);
    for (const { token } of [first, second])
      expect(await lookAtInvitation(token, caller)).toMatchObject({ email });
    expect(staff.status).toBe('invited');
    expect(await db().invitation.count({ where: { email, withdrawnAt: null } })).toBe(3);
    // An auditor sees all shops: no member of one.
    const auditor = await makeAccount('auditor');
    const third = await invited(one.owner, one.shopId, auditor.email);
    expect(await accept(third.token, PASSWORD)).toEqual({ status: 'invalid' });
  });

  it('[N1 N4 L4] is good no more once withdrawn, or once who sent it is no owner any more; few go to one address', async () => {
    const { owner, shopId } = await makeShop();
    const second = { ...(await newMember(shopId, 'owner')), locale: 'en' as const, name: 'Ben' };
    const email = emailOf();
    const mine = await invited(second, shopId, email);
    expect(await withdrawInvitation(owner, shopId, mine.row.id)).toBe('changed');
    expect(await accept(mine.token)).toEqual({ status: 'invalid' });
    const again = await invited(second, shopId, email);
    expect(await editMember(owner, shopId, second.userId, { role: 'editor', topics: [] })).toBe('changed');
    expect(await accept(again.token)).toEqual({ status: 'invalid' });
    await invited(owner, shopId, email);
    expect(await inviteMember(owner, shopId, { email, role: 'viewer', topics: [] })).toEqual({
      status: 'too_many',
    });
    const member = await db().user.findUniqueOrThrow({ where: { id: second.userId } });
    expect(await inviteMember(owner, shopId, { email: member.email, role: 'viewer', topics: [] })).toEqual({
      status: 'is_member',
    });
    expect((await readdir(mailDir.path)).length).toBeGreaterThan(0);
  });

  it('[N4 L4] carries nothing that a mail program would make a link of', async () => {
    const { owner, shopId } = await makeShop();
    await editShop(owner, shopId, { name: 'see http://evil.example/x now', version: 1 });
    const { mail } = await invited({ ...owner, name: 'www.evil.example' }, shopId, emailOf());
    expect(mail).not.toMatch(/evil\.example/);
  });
});

describe('members of a shop', () => {
  it('[L4] change, and leave; without any shop they are shoppers again, signed out; all of it is in the log', async () => {
    const { owner, shopId, sale } = await makeShop();
    const editor = await newMember(shopId);
    const session = await sessionOf(editor.userId);
    expect((await readShop(editor, shopId))?.members).toHaveLength(2);
    expect(await editMember(owner, shopId, editor.userId, { role: 'viewer', topics: [] })).toBe('changed');
    await expect(editMember(editor, shopId, editor.userId, { role: 'owner', topics: [] })).rejects.toThrow(
      'members',
    );
    await expect(removeMember(editor, shopId, owner.userId)).rejects.toThrow('members');
    expect(await userOfSession(session)).not.toBeNull();
    expect(await removeMember(editor, shopId, editor.userId)).toBe('changed');
    expect(await userOfSession(session)).toBeNull();
    expect((await db().user.findUniqueOrThrow({ where: { id: editor.userId } })).role).toBe('shopper');
    expect(await readAdminSale(editor, sale.saleId)).toBeNull();
    expect(await removeMember(owner, shopId, editor.userId)).toBe('no_member');
    const log = await db().auditEntry.findMany({ where: { subjectId: shopId }, orderBy: { id: 'asc' } });
    expect(log.map(({ action, actorId }) => [action, actorId])).toEqual([
      ['shop.edit_member', owner.userId],
      ['shop.leave', editor.userId],
    ]);
  });

  it('[L4] the last owner neither leaves nor becomes less; a banned one does not count', async () => {
    const { owner, shopId } = await makeShop();
    const other = await newMember(shopId, 'owner');
    await db().user.update({ where: { id: other.userId }, data: { bannedAt: new Date() } });
    expect(await removeMember(owner, shopId, owner.userId)).toBe('last_owner');
    expect(await editMember(owner, shopId, owner.userId, { role: 'viewer', topics: [] })).toBe('last_owner');
    await db().user.update({ where: { id: other.userId }, data: { bannedAt: null } });
    expect(await removeMember(owner, shopId, owner.userId)).toBe('changed');
    expect(await standingOf(shopId, owner.userId)).toBeNull();
    // Its id is that of who opened it: that alone gives no right any more.
    const founder: Actor = { userId: owner.userId, role: 'merchant' };
    expect(await readShop(founder, shopId)).toBeNull();
    expect((await listAdminProducts(founder, { limit: 20 })).products).toEqual([]);
    await expect(createProduct(founder, product())).rejects.toThrow('settings');
  });

  it('[L4] of two owners who remove each other at once, one stays', async () => {
    for (let nth = 0; nth < 5; nth += 1) {
      const { owner, shopId } = await makeShop();
      const other = await newMember(shopId, 'owner');
      const results = await Promise.all([
        removeMember(owner, shopId, other.userId),
        removeMember(other, shopId, owner.userId),
      ]);
      expect(results.sort()).toEqual(['changed', 'not_found']);
      expect(await db().shopMember.count({ where: { shopId, role: 'owner' } })).toBe(1);
    }
  });

  it('[L4] a role that is taken away while its owner changes a sale: the change is whole, or there is none', async () => {
    const { owner, shopId, sale } = await makeShop();
    const editor = await newMember(shopId);
    const { saleId } = sale;
    let { version } = sale;
    let changed = 0;
    for (let nth = 0; nth < 6; nth += 1) {
      const title = `Try ${nth}`;
      const [edited, taken] = await Promise.all([
        editSale(editor, saleId, { title, version }).then(
          ({ status }) => status,
          (error: Error) => error.name,
        ),
        editMember(owner, shopId, editor.userId, { role: 'viewer', topics: [] }),
      ]);
      const row = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
      expect(taken).toBe('changed');
      expect(['changed', 'NotAllowedError']).toContain(edited);
      expect(row.title === title).toBe(edited === 'changed');
      const entries = await db().auditEntry.count({ where: { subjectId: saleId, actorId: editor.userId } });
      if (edited === 'changed') changed += 1;
      expect(entries).toBe(changed);
      version = row.version;
      await editMember(owner, shopId, editor.userId, { role: 'editor', topics: ['settings'] });
    }
  });

  it('[L4] who takes a role away waits for the change that its owner is making', async () => {
    const { owner, shopId, sale } = await makeShop();
    const editor = await newMember(shopId);
    const order: string[] = [];
    let removing: Promise<unknown> | undefined;
    await db().$transaction(async (tx) => {
      const { mayManage } = await import('../actor');
      expect(await mayManage(editor, shopId, 'settings', tx)).toBe(true);
      removing = removeMember(owner, shopId, editor.userId).then(() => order.push('removed'));
      // Until the removal stands in the queue for the row.
      await expect
        .poll(async () => {
          const [row] = await db().$queryRaw<{ waiting: number }[]>`
            SELECT count(*)::int AS waiting FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%shop_members%'`;
          return row?.waiting;
        })
        .toBeGreaterThan(0);
      await tx.sale.update({ where: { id: sale.saleId }, data: { title: 'Last' } });
      order.push('changed');
    });
    await removing;
    expect(order).toEqual(['changed', 'removed']);
    expect(await editSale(editor, sale.saleId, { title: 'Late', version: sale.version })).toEqual({
      status: 'not_found',
    });
  });
});

const product = () => ({ slug: newId('p').replaceAll('_', '-'), name: 'Lantern', description: 'Paper' });

describe('who is in several shops', () => {
  it('[L4] sees the lists of the chosen one, makes things in it, and never in one they are not in', async () => {
    const [one, other, foreign] = await Promise.all([makeShop(), makeShop(), makeShop()]);
    const editor = await newMember(one.shopId);
    await db().shopMember.create({
      data: {
        shopId: other.shopId,
        userId: editor.userId,
        role: 'viewer',
        addedBy: other.shopId,
        createdAt: new Date(Date.now() + 1_000),
      },
    });
    const { shops, chosen } = await listShops(editor, { limit: 20 });
    expect([shops.length, chosen]).toEqual([2, one.shopId]);
    const seen = async (shopId?: string) =>
      (await listAdminProducts({ ...editor, shopId }, { limit: 20 })).products.map(
        ({ productId }) => productId,
      );
    expect(await seen()).toEqual([one.productId]);
    expect(await seen(other.shopId)).toEqual([other.productId]);
    expect(await seen(foreign.shopId)).toEqual([one.productId]);
    const made = await createProduct(editor, product());
    if (made.status !== 'created') throw new Error(made.status);
    const { merchantId } = await db().product.findUniqueOrThrow({ where: { id: made.product.productId } });
    expect(merchantId).toBe(one.shopId);
    const inOther = { ...editor, shopId: other.shopId };
    await expect(createProduct(inOther, product())).rejects.toThrow('settings');
    const campaign = { title: 'Autumn', description: '', limitPerUser: null, slug: product().slug };
    await expect(createCampaign(inOther, campaign)).rejects.toThrow('settings');
    // Another tab of theirs has chosen: what this one showed is not the chosen one any more.
    for (const [actor, shown] of [
      [inOther, one.shopId],
      [editor, other.shopId],
      [editor, foreign.shopId],
    ] as const) {
      expect(await createProduct(actor, product(), shown)).toEqual({ status: 'shop_changed' });
      expect(await createCampaign(actor, campaign, shown)).toEqual({ status: 'shop_changed' });
    }
    expect(await createProduct(editor, product(), one.shopId)).toMatchObject({ status: 'created' });
    // What they open by its id may be of either.
    expect(await readAdminSale(inOther, one.sale.saleId)).not.toBeNull();
    expect(await readAdminSale(editor, foreign.sale.saleId)).toBeNull();
  });

  it('[L4] who becomes a merchant by an admin has a shop, and the release before opens one with a product', async () => {
    const [admin, { userId }] = await Promise.all([makeUser('admin'), makeUser()]);
    await editUser(admin, userId, { role: 'merchant', before: { role: 'shopper', level: 0 } });
    expect(await standingOf(userId, userId)).toMatchObject({ role: 'owner' });
    const old = await makeUser('merchant');
    await db().product.create({ data: { id: newId('product'), merchantId: old.userId, ...product() } });
    expect(await standingOf(old.userId, old.userId)).toMatchObject({ role: 'owner', addedBy: old.userId });
    const operator = await makeUser('operator');
    expect(await readShop(operator, userId)).toMatchObject({ mayChange: false });
    await expect(editShop(operator, userId, { name: 'Mine', version: 1 })).rejects.toThrow('members');
    expect(await editShop(admin, userId, { name: 'Lamps', version: 1 })).toBe('changed');
    expect(await editShop(admin, userId, { name: 'Other', version: 1 })).toBe('version_conflict');
  });
});
