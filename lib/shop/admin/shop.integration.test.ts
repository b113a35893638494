import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptInvitation, lookAtInvitation } from '@/lib/access/accept-invitation';
import { hashToken } from '@/lib/access/find-invitation';
import { inviteStaff } from '@/lib/access/invite-staff';
import { editUser } from '@/lib/account/admin/edit-user';
import { userOfSession } from '@/lib/account/current-user';
import { type Actor, mayManage } from '@/lib/actor/actor';
import { createCampaign } from '@/lib/campaign/admin/create-campaign';
import type { ShopRole } from '@/lib/contract/words/shop';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { createProduct } from '@/lib/product/admin/create-product';
import { listAdminProducts } from '@/lib/product/admin/list-admin-products';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { editSale } from '@/lib/sale/admin/edit-sale';
import { readAdminSale } from '@/lib/sale/admin/read-admin-sale';
import { sessionOf } from '@/test/support/call-as';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { makeAccount, PASSWORD } from '@/test/support/make-account';
import { makeMember } from '@/test/support/make-member';
import { makeDraft, makeUser } from '@/test/support/make-sale';
import { refusalOf } from './answer-shop';
import { editMember } from './edit-member';
import { editShop } from './edit-shop';
import { inviteMember } from './invite-member';
import { listShops } from './list-shops';
import { readShop } from './read-shop';
import { removeMember } from './remove-member';
import { withdrawInvitation } from './withdraw-invitation';

const mails = keepMailsApart();
const caller = { address: '198.51.100.9', headers: new Headers() };

beforeEach(() => cacheRedis().flushdb());
afterAll(() => Promise.all([closeRedis(), closeDb()]));

/** Makes a shop with a draft of a sale. */
async function makeShop() {
  const { sale, merchant } = await makeDraft();
  const { productId } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
  const owner = { ...merchant, locale: 'en' as const, name: 'Ann' };
  return { productId, sale, owner, shopId: merchant.userId };
}
type Owner = Awaited<ReturnType<typeof makeShop>>['owner'];

/** Invites a person, and reads the link from the mail. */
async function invited(owner: Owner, shopId: string, email: string, role: ShopRole = 'editor') {
  expect(await inviteMember(owner, shopId, { email, role, topics: ['settings'] })).toBe('changed');
  const row = await db().invitation.findFirstOrThrow({ where: { email, shopId, withdrawnAt: null } });
  const mail = await mails.only(`invitation-${row.id}`);
  const [, token = ''] = /invite#([\w-]+)/.exec(mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')) ?? [];
  return { token, mail, row };
}
const accept = (token: string, password = 'long enough words') =>
  acceptInvitation({ token, password, name: 'Sue' }, caller);
const newEmail = () => `${newId('i')}@example.com`;
const memberOf = (shopId: string, userId: string) =>
  db().shopMember.findUnique({ where: { shopId_userId: { shopId, userId } } });
const product = () => ({ slug: newId('p').replaceAll('_', '-'), name: 'Lantern', description: 'Paper' });

describe('an invitation into a shop', () => {
  it('[L4] is a mail whose link makes an account and a member, once; neither the inviter nor the database has it', async () => {
    const { owner, shopId } = await makeShop();
    const email = newEmail();
    const { token, mail, row } = await invited(owner, shopId, email);
    expect(mail).toContain(`To: ${email}`);
    expect(JSON.stringify(row)).not.toContain(token);
    // The release before looks for this hash, and would let its reader into the admin area alone.
    expect(row.tokenHash).not.toBe(hashToken(token));
    expect(await lookAtInvitation(token, caller)).toMatchObject({ email, shop: { shopId, role: 'editor' } });
    expect(await accept(token)).toEqual({ status: 'accepted', email });
    expect(await accept(token)).toEqual({ status: 'invalid' });
    const user = await db().user.findUniqueOrThrow({ where: { email } });
    expect(user.role).toBe('merchant');
    const standing = { role: 'editor', topics: ['settings'], addedBy: owner.userId };
    expect(await memberOf(shopId, user.id)).toMatchObject(standing);
    // A person whom a shop invites opens none.
    expect(await db().shop.count({ where: { id: user.id } })).toBe(0);
    const entries = await db().auditEntry.findMany({
      where: { subjectId: { in: [shopId, user.id] }, action: { contains: 'invit' } },
      orderBy: { id: 'asc' },
    });
    expect(entries).toMatchObject([
      { action: 'shop.invite', after: { email, shopRole: 'editor' } },
      { action: 'invitation.accept', after: { shop: shopId, shopRole: 'editor', topics: ['settings'] } },
    ]);
  });

  it('[L4] makes a shopper a merchant, and leaves a merchant signed in', async () => {
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
      expect(await memberOf(shopId, user.id)).toMatchObject({ role: 'viewer' });
    }
    expect(await db().shop.count({ where: { id: shopper.id } })).toBe(0);
  });

  it('[L4] withdraws none of another shop or of an admin, and is not for staff who see all shops', async () => {
    const [one, other] = await Promise.all([makeShop(), makeShop()]);
    const email = newEmail();
    const staff = await inviteStaff({ email, role: 'support', invitedBy: 'command' });
    const first = await invited(one.owner, one.shopId, email);
    const second = await invited(other.owner, other.shopId, email);
    for (const { token } of [first, second])
      expect(await lookAtInvitation(token, caller)).toMatchObject({ email });
    expect(staff.status).toBe('invited');
    expect(await db().invitation.count({ where: { email, withdrawnAt: null } })).toBe(3);
    const auditor = await makeAccount('auditor');
    const third = await invited(one.owner, one.shopId, auditor.email);
    expect(await accept(third.token, PASSWORD)).toEqual({ status: 'invalid' });
  });

  it('[L4] ends when it is withdrawn, or when its sender is no owner any more; few go to one address', async () => {
    const { owner, shopId } = await makeShop();
    const second = { ...(await makeMember(shopId, 'owner')), locale: 'en' as const, name: 'Ben' };
    const email = newEmail();
    const mine = await invited(second, shopId, email);
    expect(await withdrawInvitation(owner, shopId, mine.row.id)).toBe('changed');
    expect(await accept(mine.token)).toEqual({ status: 'invalid' });
    const again = await invited(second, shopId, email);
    expect(await editMember(owner, shopId, second.userId, { role: 'editor', topics: [] })).toBe('changed');
    expect(await accept(again.token)).toEqual({ status: 'invalid' });
    await invited(owner, shopId, email);
    expect(await inviteMember(owner, shopId, { email, role: 'viewer', topics: [] })).toBe('too_many');
    expect(refusalOf('too_many').headers.get('ratelimit')).toBe('"invitation";r=0;t=3600');
    const member = await db().user.findUniqueOrThrow({ where: { id: second.userId } });
    expect(await inviteMember(owner, shopId, { email: member.email, role: 'viewer', topics: [] })).toBe(
      'is_member',
    );
  });

  it('[L4] carries nothing that a mail program would make a link of', async () => {
    const { owner, shopId } = await makeShop();
    await editShop(owner, shopId, { name: 'see http://evil.example/x now', version: 1 });
    const { mail } = await invited({ ...owner, name: 'www.evil.example' }, shopId, newEmail());
    expect(mail).not.toMatch(/evil\.example/);
  });
});

describe('members of a shop', () => {
  it('[L4] change, and leave; without any shop they become shoppers and are signed out; the log has all of it', async () => {
    const { owner, shopId, sale } = await makeShop();
    const editor = await makeMember(shopId);
    const session = await sessionOf(editor.userId);
    expect((await readShop(editor, shopId))?.members).toHaveLength(2);
    expect(await editMember(owner, shopId, editor.userId, { role: 'viewer', topics: [] })).toBe('changed');
    await expect(editMember(editor, shopId, editor.userId, { role: 'owner', topics: [] })).rejects.toThrow(
      'members',
    );
    await expect(removeMember(editor, shopId, owner.userId)).rejects.toThrow('members');
    expect(await userOfSession(session)).not.toBeNull();
    const signedIn = (await userOfSession(session)) as Actor;
    expect(await removeMember(signedIn, shopId, editor.userId)).toBe('changed');
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

  it('[L4] include an owner who can sign in: the last one neither leaves nor becomes less', async () => {
    const { owner, shopId } = await makeShop();
    const other = await makeMember(shopId, 'owner');
    await db().user.update({ where: { id: other.userId }, data: { bannedAt: new Date() } });
    expect(await removeMember(owner, shopId, owner.userId)).toBe('last_owner');
    expect(await editMember(owner, shopId, owner.userId, { role: 'viewer', topics: [] })).toBe('last_owner');
    await db().user.update({ where: { id: other.userId }, data: { bannedAt: null } });
    expect(await removeMember(owner, shopId, owner.userId)).toBe('changed');
    expect(await memberOf(shopId, owner.userId)).toBeNull();
    // The shop has the id of the account that opened it, which gives no right any more.
    const opener: Actor = { userId: owner.userId, role: 'merchant' };
    expect(await readShop(opener, shopId)).toBeNull();
    expect((await listAdminProducts(opener, { limit: 20 })).products).toEqual([]);
    await expect(createProduct(opener, product())).rejects.toThrow('settings');
    expect(await createProduct(opener, { ...product(), shopId })).toEqual({ status: 'no_shop' });
  });

  it('[L4] of two owners who remove each other at once, one stays', async () => {
    for (let nth = 0; nth < 5; nth += 1) {
      const { owner, shopId } = await makeShop();
      const other = await makeMember(shopId, 'owner');
      const results = await Promise.all([
        removeMember(owner, shopId, other.userId),
        removeMember(other, shopId, owner.userId),
      ]);
      expect(results.sort()).toEqual(['changed', 'not_found']);
      expect(await db().shopMember.count({ where: { shopId, role: 'owner' } })).toBe(1);
    }
  });

  it('[L4] lose a role while they change a sale: the change is whole, or there is none', async () => {
    const { owner, shopId, sale } = await makeShop();
    const editor = await makeMember(shopId);
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
      if (edited === 'changed') changed += 1;
      const entries = await db().auditEntry.count({ where: { subjectId: saleId, actorId: editor.userId } });
      expect(entries).toBe(changed);
      version = row.version;
      await editMember(owner, shopId, editor.userId, { role: 'editor', topics: ['settings'] });
    }
  });

  it('[L4] are removed after the change that they are making, and before the next one', async () => {
    const { owner, shopId, sale } = await makeShop();
    const editor = await makeMember(shopId);
    const order: string[] = [];
    let removing: Promise<unknown> | undefined;
    await db().$transaction(async (tx) => {
      expect(await mayManage(editor, shopId, 'settings', tx)).toBe(true);
      removing = removeMember(owner, shopId, editor.userId).then(() => order.push('removed'));
      // Until the removal waits for the row.
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
    const late = await editSale(editor, sale.saleId, { title: 'Late', version: sale.version });
    expect(late).toEqual({ status: 'not_found' });
  });
});

describe('a person in several shops', () => {
  it('[L4] sees the things of all of them, and makes things where they may', async () => {
    const [one, other, foreign] = await Promise.all([makeShop(), makeShop(), makeShop()]);
    const editor = await makeMember(one.shopId);
    const { userId } = editor;
    await db().shopMember.create({
      data: { shopId: other.shopId, userId, role: 'viewer', addedBy: other.shopId },
    });
    const { shops } = await listShops(editor, { limit: 20 });
    const standings = Object.fromEntries(shops.map(({ shopId, standing }) => [shopId, standing?.role]));
    expect(standings).toEqual({ [one.shopId]: 'editor', [other.shopId]: 'viewer' });
    const { products } = await listAdminProducts(editor, { limit: 20 });
    expect(products.map(({ productId }) => productId).sort()).toEqual(
      [one.productId, other.productId].sort(),
    );
    expect(await readAdminSale(editor, other.sale.saleId)).not.toBeNull();
    expect(await readAdminSale(editor, foreign.sale.saleId)).toBeNull();

    for (const shopId of [undefined, one.shopId]) {
      const made = await createProduct(editor, { ...product(), shopId });
      if (made.status !== 'created') throw new Error(made.status);
      const { merchantId } = await db().product.findUniqueOrThrow({ where: { id: made.product.productId } });
      expect(merchantId).toBe(one.shopId);
    }
    const campaign = { title: 'Autumn', description: '', limitPerUser: null, slug: product().slug };
    await expect(createProduct(editor, { ...product(), shopId: other.shopId })).rejects.toThrow('settings');
    await expect(createCampaign(editor, { ...campaign, shopId: other.shopId })).rejects.toThrow('settings');
    const elsewhere = { ...product(), shopId: foreign.shopId };
    expect(await createProduct(editor, elsewhere)).toEqual({ status: 'no_shop' });
    expect(await createCampaign(editor, { ...campaign, shopId: foreign.shopId })).toEqual({
      status: 'no_shop',
    });
  });
});

describe('a shop', () => {
  it('[L4] opens with its merchant, once, also for the release before; admins and owners name it', async () => {
    const [admin, { userId }] = await Promise.all([makeUser('admin'), makeUser()]);
    await editUser(admin, userId, { role: 'merchant', before: { role: 'shopper', level: 0 } });
    expect(await memberOf(userId, userId)).toMatchObject({ role: 'owner', addedBy: userId });
    const operator = await makeUser('operator');
    expect(await createProduct(operator, product())).toMatchObject({ status: 'created' });
    expect(await memberOf(operator.userId, operator.userId)).toMatchObject({ role: 'owner' });
    expect(await readShop(operator, userId)).toMatchObject({ mayChange: false });
    expect(await editShop(operator, userId, { name: 'Mine', version: 1 })).toBe('not_found');
    expect(await editShop(admin, userId, { name: 'Lamps', version: 1 })).toBe('changed');
    expect(await editShop(admin, userId, { name: 'Other', version: 1 })).toBe('version_conflict');
  });
});
