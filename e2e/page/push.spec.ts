import { expect, type Page, test } from '@playwright/test';
import { newBrowser, startPushService } from '../../test/support/push-service';
import { newShopper } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { baseUrl } from '../support/base-url';
import { BOTH_LOOKS } from '../support/both-looks';
import { buy, newSale, pay } from '../support/sales';
import { useSession } from '../support/shop';

const WORDS = {
  English: {
    on: 'Turn on',
    off: 'Turn off',
    isOn: 'Messages are on in this browser.',
    blocked: /This browser blocks messages/,
    title: 'Paid: ',
  },
  Chinese: {
    on: '开启',
    off: '关闭',
    isOn: '此浏览器已开启消息。',
    blocked: /此浏览器屏蔽了本店的消息/,
    title: '已付款：',
  },
};

/**
 * Puts a visitor's consent and a vendor's subscription into the page: a browser in a test has no push service to sign up with,
 * and without a screen it never lets a site show notices.
 */
async function giveSubscription(page: Page, subscription: object): Promise<void> {
  await page.addInitScript((made) => {
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    Notification.requestPermission = async () => 'granted';
    const kept = {
      ...made,
      toJSON: () => made,
      unsubscribe: async () => {
        localStorage.removeItem('subscribed');
        return true;
      },
    };
    PushManager.prototype.subscribe = async () => {
      localStorage.setItem('subscribed', '1');
      return kept as unknown as PushSubscription;
    };
    PushManager.prototype.getSubscription = async () =>
      localStorage.getItem('subscribed') ? (kept as unknown as PushSubscription) : null;
  }, subscription);
}

type Shown = { shown: object[] };

/** Runs in the worker: keeps what it would show. */
function keepShown(): void {
  const scope = globalThis as unknown as Shown & {
    registration: { showNotification(title: string, options: object): Promise<void> };
  };
  scope.shown = [];
  scope.registration.showNotification = async (title, options) => {
    scope.shown.push({ title, ...options });
  };
}

for (const { language, path, viewport } of BOTH_LOOKS) {
  const words = WORDS[language];
  test(`[O10 M2] a shopper has notices shown on the device, without a page open, and turns them off again: in ${language}`, async ({
    page,
    context,
  }) => {
    await page.setViewportSize(viewport);
    const service = await startPushService();
    const { subscription, read } = newBrowser(service.origin, '/send/story');
    await giveSubscription(page, subscription);
    const [shopper, { saleId }] = await Promise.all([newShopper(), newSale()]);
    await useSession(context, shopper);
    // The worker of the shop is the real one, and what it is told comes as a vendor would bring it.
    const browser = await context.newCDPSession(page);
    let registrationId = '';
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      registrationId = registrations.find((one) => !one.isDeleted)?.registrationId ?? registrationId;
    });
    await browser.send('ServiceWorker.enable');
    try {
      await page.goto(`${path}/account`);
      await page.getByRole('button', { name: words.on, exact: true }).click();
      await expect(page.getByText(words.isOn)).toBeVisible();
      const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
      await worker.evaluate(keepShown);
      await expectAccessible(page, 'messages are on');
      await page.setViewportSize(viewport);
      await page.reload();
      await expect(page.getByText(words.isOn)).toBeVisible();

      const body = { locale: path ? 'zh-CN' : 'en' };
      await shopper.client.request('PATCH', '/api/account/preferences', { body });
      await pay(shopper, await buy(shopper, saleId));
      await expect.poll(() => service.received.length).toBeGreaterThan(0);
      const message = read(service.received[0]?.body ?? Buffer.of());
      expect(message.title).toContain(words.title);
      expect(message.url).toMatch(new RegExp(`${path}/orders/\\d+$`));
      await browser.send('ServiceWorker.deliverPushMessage', {
        origin: baseUrl,
        registrationId,
        data: JSON.stringify(message),
      });
      await expect
        .poll(() => worker.evaluate(() => (globalThis as unknown as Shown).shown))
        .toMatchObject([
          { title: message.title, body: message.body, tag: message.tag, data: { url: message.url } },
        ]);

      await page.getByRole('button', { name: words.off, exact: true }).click();
      await expect(page.getByRole('button', { name: words.on, exact: true })).toBeVisible();
      expect((await shopper.client.get('/api/account/push')).body).toMatchObject({ endpoint: null });
    } finally {
      service.stop();
    }
  });
}

test('[O10] a browser that blocks messages is told what to do', async ({ page, context }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
  });
  await useSession(context, await newShopper());
  await page.goto('/account');
  await expect(page.getByText(WORDS.English.blocked)).toBeVisible();
  await expect(page.getByRole('button', { name: WORDS.English.on, exact: true })).toHaveCount(0);
});
