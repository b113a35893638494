import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper, unique } from '../support/accounts';
import { Client } from '../support/client';
import { enter, gateOf, newSale, purchase } from '../support/sales';
import { buyButton, buyLink, heading, toasts, useSession } from '../support/shop';

/** Formats a moment as a `datetime-local` field takes it; the browser runs in UTC. */
const local = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
/**
 * One request, and the next 20 s later: so long that a busy machine sends both within it and sees the wait. A fixed
 * window could end between the two.
 */
const ONCE = { algorithm: 'token-bucket', limit: 1, windowSec: 20 } as const;

test('[A6] a purchase that was one too many waits and is sent again by itself, with the same token', async ({
  page,
  context,
}) => {
  const [shopper, faster, { saleId, slug }] = await Promise.all([
    newShopper(),
    newShopper(),
    newSale({ limits: { interface: ONCE } }),
  ]);
  const [token, gate] = [await enter(faster, saleId), await gateOf(saleId)];
  await useSession(context, shopper);
  const sent: { token: string; status: number; at: number; waitMs: number }[] = [];
  await page.route('**/api/sales/*/purchase/*', async (route) => {
    // Another shopper is faster, so this one meets the limit, a real 429.
    if (sent.length === 0) expect((await purchase(saleId, gate, token)).status).toBe(202);
    const answer = await route.fetch();
    const { 'x-entry-token': own = '' } = route.request().headers();
    const { retryAfterMs: waitMs = 0 } = (await answer.json()) as { retryAfterMs?: number };
    sent.push({ token: own, status: answer.status(), at: Date.now(), waitMs });
    await route.fulfill({ response: answer });
  });
  await page.goto(`/sales/${slug}`);
  await buyButton(page, 'Buy now').click();
  await expect(buyButton(page, /^Trying again in \d+ s$/)).toBeDisabled();
  await expect(page.getByText('your place is kept')).toBeVisible();
  await expect(page.getByText('Your purchase is tried again by itself.')).toBeAttached();
  await expect(buyLink(page, /^Pay within/)).toBeVisible();
  // A purchase that a busy shop could not decide is sent again as well.
  const [first, second] = sent.filter(({ status }) => status !== 503);
  expect([first?.status, second?.status]).toEqual([429, 202]);
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(first?.waitMs ?? Number.NaN);
  expect(new Set(sent.map((request) => request.token)).size).toBe(1);
});

test('[A6] an entry that was one too many is asked for again by itself, and the button opens', async ({
  page,
  context,
}) => {
  const [shopper, { saleId, slug }] = await Promise.all([newShopper(), newSale({ limits: { user: ONCE } })]);
  await useSession(context, shopper);
  const statuses: number[] = [];
  await page.route('**/api/sales/*/entry', async (route) => {
    if (statuses.length === 0) await enter(shopper, saleId);
    const answer = await route.fetch();
    statuses.push(answer.status());
    await route.fulfill({ response: answer });
  });
  await page.goto(`/sales/${slug}`);
  await expect(buyButton(page, /^Trying again in \d+ s$/)).toBeDisabled();
  await expect(page.getByText('We ask again for you, and the button opens by itself.')).toBeVisible();
  await expect(page.getByText('This page asks again by itself.')).toBeAttached();
  await expect(buyButton(page, 'Buy now')).toBeEnabled();
  expect(statuses.filter((status) => status !== 503)).toEqual([429, 200]);
});

test('[G1 G3 G7 G15] a merchant limits a sale when creating it, and changes that while it is there', async ({
  page,
}) => {
  const name = `Limited ${unique()}`;
  await page.goto('/admin');
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign in as merchant@example.com' }).click();
  await page.getByRole('button', { name: 'New sale' }).click();
  await page.getByLabel('Product name').fill(name);
  await page.getByLabel('Title of the sale').fill(name);
  const steps = page.getByRole('navigation', { name: 'Steps' });
  await steps.getByRole('button', { name: 'When' }).click();
  await page.getByLabel('Start', { exact: true }).fill(local(Date.now() - 60_000));
  await page.getByLabel('End', { exact: true }).fill(local(Date.now() + 3_600_000));
  await steps.getByRole('button', { name: 'Who and protection' }).click();
  await page.getByText('Rate limits (optional)').click();
  const user = page.getByRole('group', { name: 'Each user' });
  await user.getByLabel('Counted by').selectOption('Sliding window');
  await expect(user.getByLabel('Counted by')).toHaveAccessibleDescription(/any stretch of that length/);
  await user.getByLabel('Calls').fill('0');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(page.getByText('A whole number from 1 to 1,000,000.')).toBeVisible();
  await expect(user.getByLabel('Calls')).toBeFocused();
  await user.getByLabel('Calls').fill('7');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(heading(page, name)).toBeVisible();

  const saleId = new URL(page.url()).pathname.split('/').at(-1);
  const published = await (await demoMerchant()).post(`/api/admin/sales/${saleId}/publish`);
  expect(published.status, published.text).toBe(200);
  await page.reload();
  const limits = async () => {
    const live = await (await demoMerchant()).get(`/api/admin/sales/${saleId}/live`);
    return (live.body.sale as { limits: unknown }).limits;
  };
  const perUser = { algorithm: 'sliding-window', limit: 7, windowSec: 60 };
  expect(await limits()).toEqual({ user: perUser });
  await expect(user.getByLabel('Calls')).toHaveValue('7');
  const all = page.getByRole('group', { name: 'All purchases together' });
  await all.getByLabel('Counted by').selectOption('Token bucket');
  await all.getByLabel('Calls').fill('500');
  await all.getByLabel('Seconds').fill('1');
  const device = page.getByRole('group', { name: 'Each device' });
  await device.getByLabel('Counted by').selectOption('Fixed window');
  await device.getByLabel('Calls').fill('9');
  // A colleague's limit, meanwhile, is shown and kept; one that was typed here, too, is replaced on purpose.
  const ip = { algorithm: 'fixed-window', limit: 3, windowSec: 60 };
  const body = { user: perUser, ip, device: { ...ip, limit: 5 } };
  const patched = await (await demoMerchant()).request('PATCH', `/api/admin/sales/${saleId}/limits`, {
    body,
  });
  expect(patched.status, patched.text).toBe(200);
  await expect(page.getByRole('group', { name: 'Each address' }).getByLabel('Calls')).toHaveValue('3');
  await expect(device.getByLabel('Calls')).toHaveValue('9');
  const overtaken = page.getByText(/^Someone else changed this meanwhile/);
  await expect(overtaken).toBeVisible();
  const set = page.getByRole('button', { name: 'Set limits' });
  await set.press('Enter');
  await expect(toasts(page)).toContainText('The rate limits are changed.');
  await expect(set).toBeFocused();
  await expect(overtaken).toBeHidden();
  expect(await limits()).toEqual({
    user: perUser,
    ip,
    device: { algorithm: 'fixed-window', limit: 9, windowSec: 60 },
    interface: { algorithm: 'token-bucket', limit: 500, windowSec: 1 },
  });

  // Undoes the change without a pointer, then dismisses the message itself.
  await page.keyboard.press('F8');
  await expect(toasts(page).getByRole('list')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(toasts(page).getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(toasts(page)).toContainText('The rate limits are as they were.');
  expect(await limits()).toEqual(body);
  await expect(all.getByLabel('Counted by')).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(toasts(page).getByRole('listitem')).toHaveCount(0);
});

test('[N4] too many wrong passwords make the page count a wait down, and then let one try again', async ({
  page,
}) => {
  const { email, password } = await newShopper();
  await page.goto('/signin?callbackUrl=/orders');
  await expect(page.getByText('Demo accounts')).toBeVisible();
  const signIn = page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true });
  const fill = async (word: string) => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(word);
  };
  const waiting = page
    .getByRole('alert')
    .filter({ hasText: /Too many tries from here\.[\s\S]*You can try again in 00:\d\d\./ });
  // Guesses until the wait is long enough to be seen on a busy machine: the first wait is a second.
  const guess = async () => {
    const { body } = await new Client().post('/api/auth/callback/credentials', { email, password: 'wrong' });
    return Number(body.retryAfterMs ?? 0);
  };
  await expect.poll(guess, { timeout: 120_000 }).toBeGreaterThan(12_000);
  // A busy machine may send this one when the wait is over: then it makes the next wait, which is twice as long.
  await expect(async () => {
    if (await waiting.isVisible()) return;
    await fill('wrong');
    await signIn.click({ timeout: 5_000 });
    await expect(waiting).toBeVisible({ timeout: 15_000 });
  }).toPass({ timeout: 120_000 });
  await expect(signIn).toHaveAttribute('aria-disabled', 'true');
  await expect(waiting).toBeHidden();
  await fill(password);
  await signIn.click();
  await expect(page).toHaveURL('/orders');
});
