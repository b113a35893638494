import { type Area, type Operation, operation } from '../operation';
import { pageOf } from '../shapes/common';
import {
  deliveryWish,
  newWebhook,
  removedWebhook,
  webhookDelivery,
  webhookEdit,
  webhookList,
  webhookView,
  webhookWithSecret,
} from '../shapes/webhook';

const common = { who: 'manageShop' } satisfies Partial<Operation>;
const ONE = '/api/admin/shops/{shopId}/webhooks/{webhookId}';

export const listWebhooks = operation({
  id: 'listWebhooks',
  method: 'GET',
  path: '/api/admin/shops/{shopId}/webhooks',
  ...common,
  says: 'The webhooks of a shop, at most 10, oldest first. For its owners.',
  answers: { 200: webhookList },
  errors: ['SHOP_NOT_FOUND'],
});

export const addWebhook = operation({
  id: 'addWebhook',
  method: 'POST',
  path: '/api/admin/shops/{shopId}/webhooks',
  ...common,
  asksAgain: true,
  says: 'From now on this address is told events of these kinds. The answer holds its secret, which is never shown again.',
  body: newWebhook,
  answers: { 201: webhookWithSecret },
  errors: ['SHOP_NOT_FOUND', 'WEBHOOKS_FULL', 'WEBHOOK_ADDRESS_REFUSED'],
});

export const editWebhook = operation({
  id: 'editWebhook',
  method: 'PATCH',
  path: ONE,
  ...common,
  asksAgain: true,
  says: 'Other kinds, or turns it off or on. While it is off nothing new is written for it; what waited goes on when it is on again.',
  body: webhookEdit,
  answers: { 200: webhookView },
  errors: ['SHOP_NOT_FOUND', 'WEBHOOK_NOT_FOUND'],
});

export const rotateWebhookSecret = operation({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: `${ONE}/rotate`,
  ...common,
  asksAgain: true,
  says: 'Makes a new secret, which the answer holds. The one before signs along for 24 hours.',
  answers: { 200: webhookWithSecret },
  errors: ['SHOP_NOT_FOUND', 'WEBHOOK_NOT_FOUND'],
});

export const removeWebhook = operation({
  id: 'removeWebhook',
  method: 'POST',
  path: `${ONE}/remove`,
  ...common,
  asksAgain: true,
  says: 'Removes it with its deliveries.',
  answers: { 200: removedWebhook },
  errors: ['SHOP_NOT_FOUND', 'WEBHOOK_NOT_FOUND'],
});

export const testWebhook = operation({
  id: 'testWebhook',
  method: 'POST',
  path: `${ONE}/test`,
  ...common,
  says: 'Sends it an event of the kind `webhook.test`, at most five at a time.',
  answers: { 202: webhookDelivery },
  errors: ['SHOP_NOT_FOUND', 'WEBHOOK_NOT_FOUND', 'WEBHOOK_OFF', 'WEBHOOK_TESTS_WAIT'],
});

export const listDeliveries = operation({
  id: 'listDeliveries',
  method: 'GET',
  path: `${ONE}/deliveries`,
  ...common,
  says: 'Its deliveries of the last 30 days, newest first.',
  query: deliveryWish,
  answers: { 200: pageOf('deliveries', webhookDelivery) },
  errors: ['SHOP_NOT_FOUND', 'WEBHOOK_NOT_FOUND'],
});

export const replayDelivery = operation({
  id: 'replayDelivery',
  method: 'POST',
  path: `${ONE}/deliveries/{deliveryId}/replay`,
  ...common,
  says: 'Sends a delivery again, with the same `webhook-id`; retries go on for a day. One that waits is sent at once.',
  answers: { 200: webhookDelivery },
  errors: ['SHOP_NOT_FOUND', 'WEBHOOK_NOT_FOUND', 'WEBHOOK_OFF', 'DELIVERY_NOT_FOUND'],
});

export const adminWebhooks: Area = {
  name: 'Admin: webhooks',
  says: 'Addresses that are told what happens to the orders and sales of a shop, by posts that are signed as Standard Webhooks. The schema `WebhookEvent` is what they get.',
  operations: [
    listWebhooks,
    addWebhook,
    editWebhook,
    rotateWebhookSecret,
    removeWebhook,
    testWebhook,
    listDeliveries,
    replayDelivery,
  ],
};
