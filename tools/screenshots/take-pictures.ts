import { expect as expectOnce, type Page } from '@playwright/test';
import { ALL_HOLD } from '@/e2e/support/all-hold';
import { askAdmin } from '@/tools/harness/ask-admin';
import { bringUp, type Camera } from './camera';
import { buyWithoutAccount, runCrowd } from './crowd';
import { demoStaff, publishSale, type Shown, type Staff } from './merchant';
import { type Person, recruitPeople } from './people';

const MINUTE_MS = 60_000;
const CROWD_LASTS_MS = 60_000;
const STRAGGLERS = 25;
const STRAGGLERS_LAST_MS = 20_000;
/** Waits as long as a busy machine needs. */
const expect = expectOnce.configure({ timeout: 60_000 });

/**
 * Plays a day at the shop and takes its pictures.
 * @param origin address of a product that has only its demo data @param say prints the progress
 */
export async function takePictures(
  origin: string,
  camera: Camera,
  say: (line: string) => void,
): Promise<void> {
  const [seller, { session: admin }, people] = await Promise.all([
    demoStaff('merchant'),
    demoStaff('admin'),
    recruitPeople(origin, 300),
  ]);
  const { session: merchant } = seller;
  const kettle = await publishKettle(origin, seller);
  const sale = await publishCamera(origin, seller);

  say('a rehearsal');
  await rehearse(await camera.open(merchant, `/admin/sales/${kettle.saleId}`), camera);
  await waiting(camera, people, kettle);

  say('a crowd');
  const [reader, unlucky, ...others] = people as [Person, Person, ...Person[]];
  const live = await camera.open(merchant, `/admin/sales/${sale.saleId}`, {
    colorScheme: 'dark',
    height: 880,
  });
  const crowd = {
    scripts: others.slice(0, 5),
    collectors: others.slice(5, 12),
    buyers: others.slice(12, -STRAGGLERS),
  };
  await runCrowd(sale.saleId, crowd, CROWD_LASTS_MS);
  // A few buyers still come while the picture is taken.
  const stragglers = { scripts: [], collectors: [], buyers: others.slice(-STRAGGLERS) };
  const last = runCrowd(sale.saleId, stragglers, STRAGGLERS_LAST_MS);
  const attempts = live.getByRole('figure').filter({ hasText: 'Attempts per second' });
  await expect(attempts.locator('dt:has-text("Accepted") + dd')).not.toHaveText('0');
  await expect(live.getByText(ALL_HOLD)).toBeVisible();
  await camera.take(live, 'admin-live');
  await last;

  say('a buyer');
  await buy(camera, reader, sale);

  say('the admin area');
  await buyWithoutAccount(sale.saleId, unlucky);
  await askAdmin(origin, merchant, `sales/${sale.saleId}/pause`);
  await askAdmin(origin, merchant, `sales/${sale.saleId}/stock`, {
    delta: 20,
    reason: 'returned by the photographers',
  });
  await askAdmin(origin, merchant, `sales/${sale.saleId}/resume`);
  await saleForm(camera, merchant);
  await lists(camera, { merchant, admin }, sale);
}

const publishKettle = (origin: string, merchant: Staff): Promise<Shown> =>
  publishSale(
    origin,
    merchant,
    {
      name: 'Harbour kettle',
      imageUrl: '/products/kettle.svg',
      description: 'Enamelled steel, a spout that does not drip, and a whistle you can hear in the garden.',
      attributes: { Volume: '1.7 l', Weight: '980 g', Hobs: 'gas, induction, ceramic' },
    },
    {
      priceMinor: 3_900,
      listPriceMinor: 6_900,
      totalStock: 250,
      startsAt: Date.now() + 9 * MINUTE_MS,
      endsAt: Date.now() + 129 * MINUTE_MS,
    },
  );

const publishCamera = (origin: string, merchant: Staff): Promise<Shown> =>
  publishSale(
    origin,
    merchant,
    {
      name: 'Kestrel pocket camera',
      imageUrl: '/products/camera.svg',
      description: 'A fast lens, one dial and a sensor that sees at dusk. Fits into a coat pocket.',
      attributes: { Sensor: '1″', Lens: '24–70 mm', Weight: '290 g' },
    },
    {
      priceMinor: 12_900,
      listPriceMinor: 24_900,
      totalStock: 320,
      startsAt: Date.now() - 1_000,
      endsAt: Date.now() + 120 * MINUTE_MS,
      limits: { user: { algorithm: 'sliding-window', limit: 5, windowSec: 10 } },
    },
  );

async function rehearse(page: Page, camera: Camera): Promise<void> {
  await page.getByLabel('Shoppers').fill('2000');
  await page.getByRole('button', { name: 'Rehearse', exact: true }).click();
  await expect(page.getByText(/^(Go|No go):/)).toBeVisible();
  await bringUp(page.getByRole('heading', { name: 'Rehearsal' }));
  await camera.take(page, 'admin-rehearsal');
  await page.context().close();
}

async function waiting(camera: Camera, [somebody]: readonly Person[], { slug }: Shown): Promise<void> {
  const page = await camera.open(somebody?.session ?? null, `/sales/${slug}`);
  await expect(page.getByRole('button', { name: /^Starts in/ })).toBeVisible();
  await expect(page.getByText('You are ready.')).toBeVisible();
  await camera.take(page, 'sale-waiting');
  await page.context().close();
}

async function buy(camera: Camera, { session }: Person, { slug }: Shown): Promise<void> {
  const chinese = { device: 'phone', colorScheme: 'dark', locale: 'zh-CN' } as const;
  const other = await camera.open(session, `/zh-CN/sales/${slug}`, chinese);
  await expect(other.getByRole('button', { name: '立即抢购' })).toBeEnabled();
  await camera.take(other, 'sale-live');
  await other.context().close();
  const page = await camera.open(session, `/sales/${slug}`, { device: 'phone' });
  await page.getByRole('button', { name: 'Buy now' }).click();
  await page.getByRole('link', { name: /^Pay within/ }).click();
  await expect(page.getByRole('heading', { name: 'Sandbox payment' })).toBeVisible();
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Pay €/ })
    .click();
  await expect(page.getByRole('heading', { name: "Paid. It's yours!" })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Notifications' })).toBeVisible();
  await camera.take(page, 'order-paid');
  await page.context().close();
}

async function saleForm(camera: Camera, merchant: string): Promise<void> {
  const page = await camera.open(merchant, '/admin/sales');
  const next = () => page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('button', { name: 'New sale' }).click();
  await page.getByLabel('Product name').fill('Meridian keyboard');
  await page.getByLabel('Description').fill('Low keys, a quiet touch, and a battery that lasts the winter.');
  await page.getByLabel('Picture').selectOption('keyboard');
  await page.getByLabel('Title of the sale').fill('Meridian keyboard');
  await next();
  await page.getByLabel('Flash price').fill('79');
  await page.getByLabel('List price').fill('129');
  await page.getByLabel('Currency').selectOption('EUR');
  await page.getByLabel('Items', { exact: true }).fill('500');
  await next();
  const tomorrow = new Date(Date.now() + 24 * 60 * MINUTE_MS).toISOString().slice(0, 10);
  await page.getByLabel('Start', { exact: true }).fill(`${tomorrow}T20:00`);
  await page.getByLabel('End', { exact: true }).fill(`${tomorrow}T22:00`);
  await next();
  await next();
  await expect(page.getByRole('region', { name: 'What shoppers will see' })).toBeVisible();
  await bringUp(page.getByRole('heading', { name: 'New sale' }));
  await camera.take(page, 'admin-sale-form');
  await page.context().close();
}

async function lists(
  camera: Camera,
  { merchant, admin }: { merchant: string; admin: string },
  { saleId }: Shown,
): Promise<void> {
  const show = async (
    name: string,
    session: string,
    path: string,
    isReady: (page: Page) => Promise<unknown>,
  ) => {
    const page = await camera.open(session, path);
    await isReady(page);
    await camera.take(page, name);
    await page.context().close();
  };
  await show('admin-orders', merchant, `/admin/orders?saleId=${saleId}`, (page) =>
    expect(page.getByRole('row').nth(10)).toBeVisible(),
  );
  await show('admin-risk', admin, '/admin/risk', async (page) => {
    const hits = page.getByRole('region', { name: 'Hits' });
    await expect(hits.getByRole('row').nth(1)).toBeVisible();
    await bringUp(hits);
  });
  await show('admin-queues', admin, '/admin/queues', async (page) => {
    await expect(page.getByRole('region', { name: 'Dead letters' }).getByRole('listitem')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Workers the load asks for' })).toBeVisible();
  });
  await show('admin-reconcile', merchant, `/admin/reconcile?saleId=${saleId}`, async (page) => {
    await page.getByRole('button', { name: 'Compare now' }).click();
    await expect(page.getByText(/^On demand/)).toBeVisible();
  });
  await show('admin-audit', admin, '/admin/audit', async (page) => {
    await expect(page.getByText(/^The log is whole/)).toBeVisible();
    await expect(page.getByRole('row').nth(5)).toBeVisible();
    await bringUp(page.getByText(/^The log is whole/));
  });
}
