import { area, type Operation } from '../operation';
import { page, pageOf } from '../shapes/common';
import { memberEdit, memberInvitation, removedMember, shopEdit, shopSummary, shopView } from '../shapes/team';

export const adminShops = area(
  'Admin: shops',
  'Who works in which shop. Another shop does not exist for people who are not in it.',
);
const { operation } = adminShops;

const common = { who: 'manageShop', answers: { 200: shopView } } satisfies Partial<Operation>;

export const listShops = operation('GET /api/admin/shops', {
  who: 'seeAdmin',
  says: 'The shops in which the caller is a member, newest first; all of them for staff who see everything.',
  query: page,
  answers: { 200: pageOf('shops', shopSummary) },
});

export const readShop = operation('GET /api/admin/shops/{shopId}', {
  who: 'seeAdmin',
  says: 'A shop with its members and open invitations.',
  answers: { 200: shopView },
  errors: ['SHOP_NOT_FOUND'],
});

export const editShop = operation('PATCH /api/admin/shops/{shopId}', {
  ...common,
  says: 'Another name, or other prices of shipping, based on the version last seen. For its owners and for admins, as all changes here. Orders that have an address keep their price.',
  body: shopEdit,
  errors: ['SHOP_NOT_FOUND', 'VERSION_CONFLICT'],
});

export const inviteMember = operation('POST /api/admin/shops/{shopId}/invitations', {
  ...common,
  asksAgain: true,
  says: 'Sends a mail with a link that is good once within 72 hours. An earlier one of this shop for the address is good no more.',
  body: memberInvitation,
  errors: ['SHOP_NOT_FOUND', 'ALREADY_MEMBER', 'SHOP_FULL', 'DEMO_ACCOUNT', 'RATE_LIMITED'],
});

export const withdrawInvitation = operation(
  'POST /api/admin/shops/{shopId}/invitations/{invitationId}/withdraw',
  {
    ...common,
    says: 'Its link is good no more; again changes nothing.',
    errors: ['SHOP_NOT_FOUND'],
  },
);

export const editMember = operation('PATCH /api/admin/shops/{shopId}/members/{userId}', {
  ...common,
  asksAgain: true,
  says: 'Another role or other topics; they count from the next request on.',
  body: memberEdit,
  errors: ['SHOP_NOT_FOUND', 'MEMBER_NOT_FOUND', 'LAST_OWNER'],
});

export const removeMember = operation('POST /api/admin/shops/{shopId}/members/{userId}/remove', {
  ...common,
  asksAgain: true,
  says: 'Removes a person from the shop, at once; oneself: leaves it. A merchant without any shop becomes a shopper and is signed out.',
  answers: { 200: removedMember },
  errors: ['SHOP_NOT_FOUND', 'MEMBER_NOT_FOUND', 'LAST_OWNER'],
});
