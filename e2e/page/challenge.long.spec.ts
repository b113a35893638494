import { expect, type Page, test } from '@playwright/test';
import { demoMerchant, newShopper, type Shopper, unique } from '../support/accounts';
import { handle, nextSecret } from '../support/puzzle';
import { newSale, type SaleOptions } from '../support/sales';
import { buyButton, buyOnPage } from '../support/shop';
import { watchWords } from '../support/watch-words';

/** The text that screen readers announce. */
const announced = (page: Page) => page.getByRole('main').getByRole('status');

async function openSale(page: Page, options: Partial<SaleOptions>) {
  const [shopper, { slug, saleId }] = await Promise.all([newShopper(), newSale(options)]);
  await page.context().addCookies(shopper.client.browserCookies());
  return { shopper, saleId, go: () => page.goto(`/sales/${slug}`) };
}

const nextOf = (page: Page, shopper: Shopper, saleId: string) =>
  nextSecret(page, shopper, saleId, () => page.keyboard.press('Enter'));

test('[G5] the slider works by keyboard alone; a wrong place brings another puzzle and a kind sentence', async ({
  page,
}) => {
  const { shopper, saleId, go } = await openSale(page, { challenge: 'slider' });
  await nextSecret(page, shopper, saleId, go);
  await expect(buyButton(page, 'One small task first')).toBeDisabled();
  await expect(announced(page)).toHaveText('There is a small task below the button.');
  await handle(page).focus();
  await page.keyboard.press('ArrowRight');
  await expect(handle(page)).toHaveAttribute('aria-valuetext', '1% of the way');
  const secret = await nextOf(page, shopper, saleId);
  await expect(page.getByText("That wasn't right. Try the new task.")).toBeVisible();
  await expect(announced(page)).toHaveText("That wasn't right. There is a new task.");

  if (secret.kind !== 'slider') throw new Error(secret.kind);
  // The focus is where it was: on the new puzzle's handle.
  await expect(handle(page)).toBeFocused();
  // Holds the keys as long as fingers do; the last stretch always goes in small steps, as people do it.
  const held = { delay: 50 };
  let x = 0;
  for (; x + 52 <= secret.x; x += 26) await page.keyboard.press('PageUp', held);
  for (; x + 2 <= secret.x; x += 2) await page.keyboard.press('ArrowRight', held);
  await expect(handle(page)).toHaveAttribute('aria-valuenow', String(x));
  await page.keyboard.press('Enter');
  await expect(announced(page)).toHaveText(/^(Solved\. You are ready\.|You can buy now\.)$/);
  await expect(page.getByText('One press is enough.', { exact: false })).toBeFocused();
  await buyOnPage(page);
});

test('[G4] the sum is answered by keyboard alone, nothing is no answer, and a wrong one brings another', async ({
  page,
}) => {
  const { shopper, saleId, go } = await openSale(page, { challenge: 'arithmetic' });
  await nextSecret(page, shopper, saleId, go);
  const field = page.getByLabel('What does it come to?');
  await expect(page.getByRole('img', { name: 'A sum, drawn so that machines' })).toBeVisible();
  await field.focus();
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/entry')) sent += 1;
  });
  await page.keyboard.press('Enter');
  await expect(field).toBeFocused();
  expect(sent).toBe(0);
  await page.keyboard.type('999');
  const secret = await nextOf(page, shopper, saleId);
  await expect(page.getByText("That wasn't right. Try the new task.")).toBeVisible();
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('');
  if (secret.kind !== 'arithmetic') throw new Error(secret.kind);
  await page.keyboard.type(String(secret.answer));
  await page.keyboard.press('Enter');
  await expect(field).toBeHidden();
  await buyOnPage(page);
});

test('[G4] the calculation is done by itself in a worker, under the page’s own policy', async ({ page }) => {
  const { go } = await openSale(page, { challenge: 'pow' });
  const refused: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) refused.push(message.text());
  });
  const worker = page.waitForEvent('worker');
  const response = await go();
  expect(response?.headers()['content-security-policy']).toMatch(/frame-ancestors/);
  await worker;
  await expect(buyButton(page, 'Buy now')).toBeEnabled({ timeout: 150_000 });
  expect(refused).toEqual([]);
  await buyOnPage(page);
});

for (const challenge of ['slider', 'arithmetic'] as const) {
  test(`[G4 G5] whoever can't do the ${challenge} counts beeps, by keyboard alone`, async ({ page }) => {
    const { shopper, saleId, go } = await openSale(page, { challenge });
    await nextSecret(page, shopper, saleId, go);
    await expect(page.getByRole('button', { name: 'Let the browser calculate' })).toBeHidden();
    const other = page
      .getByRole('group', { name: "Can't do this one?" })
      .getByRole('button', { name: 'Listen and count' });
    await other.focus();
    const secret = await nextOf(page, shopper, saleId);
    if (secret.kind !== 'sound') throw new Error(secret.kind);
    await page.getByRole('button', { name: 'Play the beeps' }).focus();
    const said = await watchWords(page, 'main button');
    await page.keyboard.press('Enter');
    // After the sound has ended, the shopper can play it again.
    await expect.poll(said).toContain('Playing…');
    await expect(page.getByRole('button', { name: 'Play the beeps' })).toBeVisible({ timeout: 150_000 });
    await page.getByLabel('How many beeps in each group? (3 digits)').focus();
    await page.keyboard.type(secret.counts.join(' '));
    await page.keyboard.press('Enter');
    await expect(buyButton(page, 'Buy now')).toBeEnabled({ timeout: 150_000 });
  });

  test(`[G4 G5] whoever can't do the ${challenge} lets the browser calculate where the sale allows it`, async ({
    page,
  }) => {
    const { shopper, saleId, go } = await openSale(page, { challenge, challengeAlternative: 'calculation' });
    await nextSecret(page, shopper, saleId, go);
    await page.getByRole('button', { name: 'Let the browser calculate' }).focus();
    await page.keyboard.press('Enter');
    await expect(buyButton(page, 'Buy now')).toBeEnabled({ timeout: 150_000 });
    await expect(page.getByText('One press is enough.', { exact: false })).toBeFocused();
  });
}

test('[G4 G5] a merchant chooses what is solved before entry, is told what it means, and sees it', async ({
  page,
}) => {
  await page.context().addCookies((await demoMerchant()).browserCookies());
  await page.goto('/admin/sales');
  await page.getByRole('button', { name: 'New sale' }).click();
  const name = `With a puzzle ${unique()}`;
  await page.getByLabel('Product name').fill(name);
  await page.getByLabel('Title of the sale').fill(name);
  await page.getByRole('button', { name: 'Who and protection' }).click();
  const challenge = page.getByLabel('Before entry shoppers solve');
  await expect(challenge).toHaveValue('none');
  await challenge.selectOption('A slider puzzle');
  await expect(challenge).toHaveAccessibleDescription(/pushed into its gap/);
  const alternative = page.getByLabel("Whoever can't do the puzzle may");
  await expect(alternative).toHaveValue('puzzle');
  await alternative.selectOption('Do another puzzle or let the browser calculate');
  await expect(alternative).toHaveAccessibleDescription(/no more than the calculation's/);
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(page.getByText('Before entry: A slider puzzle')).toBeVisible();
});
