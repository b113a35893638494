import { expect, test } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { startReceiver } from '../../lib/webhook/testing/start-receiver';
import { newShopper, newStaff } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { BOTH_LOOKS } from '../support/both-looks';
import { buy, newProduct, pay, saleInput } from '../support/sales';
import { useSession } from '../support/shop';

const WORDS = {
  English: {
    address: 'Address',
    add: 'Add',
    secret: /It is shown only this once/,
    test: 'Send a test',
    log: 'Deliveries',
    delivered: 'Delivered',
    details: 'Kinds and deliveries',
    turnOff: 'Turn off',
    turnOn: 'Turn on',
  },
  Chinese: {
    address: '地址',
    add: '添加',
    secret: /仅显示这一次/,
    test: '发送测试',
    log: '投递记录',
    delivered: '已送达',
    details: '种类与投递',
    turnOff: '停用',
    turnOn: '启用',
  },
};

for (const { language, path, viewport } of BOTH_LOOKS) {
  const words = WORDS[language];
  test(`[O6] an owner adds a webhook, and their system verifies what it is told of a sale: in ${language}`, async ({
    page,
    context,
  }) => {
    await page.setViewportSize(viewport);
    const [receiver, owner] = await Promise.all([startReceiver(), newStaff('merchant')]);
    // A merchant's first product opens their shop.
    const productId = await newProduct(owner.client);
    await useSession(context, owner);
    try {
      await page.goto(`${path}/admin/webhooks`);
      await page.getByRole('textbox', { name: words.address, exact: true }).fill(`${receiver.url}/shop`);
      await page.getByRole('button', { name: words.add, exact: true }).click();
      await expect(page.getByText(words.secret)).toBeVisible();
      const secret = (await page.getByText(/^whsec_/).textContent()) ?? '';

      await page.getByRole('button', { name: words.test, exact: true }).click();
      const log = page.getByRole('region', { name: words.log });
      await expect(log.getByRole('listitem').first()).toContainText(words.delivered);
      await expectAccessible(page, 'a webhook and its deliveries');
      await page.setViewportSize(viewport);

      const made = await owner.client.post('/api/admin/sales', saleInput({ productId, totalStock: 1 }));
      const saleId = String(made.body.saleId);
      expect((await owner.client.post(`/api/admin/sales/${saleId}/publish`)).status).toBe(200);
      const shopper = await newShopper();
      const orderNo = await buy(shopper, saleId);
      await pay(shopper, orderNo);

      const told = () =>
        receiver.got.map(({ headers, body }) => {
          const event = new Webhook(secret).verify(body, headers as Record<string, string>);
          return event as { type: string; data: Record<string, unknown> };
        });
      // A receiver whose answer a busy machine delays is told again.
      const ofSale = () => [
        ...new Set(
          told()
            .filter(({ data }) => data.saleId === saleId)
            .map(({ type }) => type)
            .toSorted(),
        ),
      ];
      await expect
        .poll(ofSale, { timeout: 180_000 })
        .toEqual(['order.accepted', 'order.paid', 'sale.sold_out', 'sale.started']);
      expect(told().find(({ type }) => type === 'order.paid')?.data).toMatchObject({
        orderNo,
        amountMinor: 4200,
        currency: 'EUR',
      });

      // The secret is shown by the page that made it, and by no other.
      await page.reload();
      await expect(page.getByRole('button', { name: words.turnOff, exact: true })).toBeVisible();
      await expect(page.getByText(/whsec_/)).toHaveCount(0);
      await page.getByRole('button', { name: words.turnOff, exact: true }).click();
      await expect(page.getByRole('button', { name: words.turnOn, exact: true })).toBeVisible();
    } finally {
      await receiver.stop();
    }
  });
}
