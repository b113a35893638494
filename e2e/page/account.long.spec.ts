import { expect, test } from '@playwright/test';
import { demoAdmin, newShopper, unique } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { Client } from '../support/client';
import { verificationMailOf } from '../support/mails';
import { expectProblem } from '../support/problem';
import { clientOf } from '../support/sessions';
import { heading, useSession } from '../support/shop';

test('[N2 N3] a shopper changes the password: the old one is asked, other sessions end, this one goes on', async ({
  page,
}) => {
  const shopper = await newShopper();
  const elsewhere = await new Client().signIn(shopper.email, shopper.password);
  await useSession(page.context(), shopper);
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Your account' }).click();
  await expect(heading(page, 'Your account')).toBeVisible();
  await expect(page.getByText(`${shopper.email} · Shopper`)).toBeVisible();
  await page.getByRole('link', { name: 'Sign-in and security' }).click();
  const send = page.getByRole('button', { name: 'Change password' });

  await send.click();
  const [present, next] = [page.getByLabel('Present password'), page.getByLabel('New password')];
  await expect(present).toBeFocused();
  await expect(present).toHaveAccessibleDescription('Enter your password.');
  await present.fill('not this one');
  await next.fill('another long one');
  await send.click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'This is not your present password.' }),
  ).toBeVisible();
  expect((await elsewhere.get('/api/orders')).status).toBe(200);

  await present.fill(shopper.password);
  await send.click();
  await expect(page.getByText('Your password is changed.')).toBeVisible();
  expectProblem(await elsewhere.get('/api/orders'), 401, 'UNAUTHENTICATED');
  await page.reload();
  await expect(heading(page, 'Sign-in and security')).toBeVisible();
  await expect(new Client().signIn(shopper.email, shopper.password)).rejects.toThrow('could not sign in');
  await new Client().signIn(shopper.email, 'another long one');
});

test('[N2 N3] a shopper sees where they are signed in, ends one, then all', async ({ page }) => {
  const shopper = await newShopper();
  const [one, two] = await Promise.all(
    [1, 2].map(() => new Client().signIn(shopper.email, shopper.password)),
  );
  await useSession(page.context(), shopper);
  await page.goto('/account/sign-in');
  const list = page.getByRole('region', { name: 'Where you are signed in' });
  await expect(list.getByRole('listitem')).toHaveCount(3);
  await expect(list.getByRole('listitem').filter({ hasText: 'This one' })).toHaveCount(1);
  await list.getByRole('button', { name: /^End / }).first().click();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(list.getByRole('status')).toHaveText(/^Ended: .+, since .+\.$/);
  await expect(list.getByRole('button', { name: /^End / })).toBeFocused();
  const statuses = async () =>
    (await Promise.all([one, two].map((client) => client?.get('/api/orders')))).map(
      (answer) => answer?.status,
    );
  expect((await statuses()).sort()).toEqual([200, 401]);
  await expectAccessible(page, 'account');

  await list.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(heading(page, 'Sign in')).toBeVisible();
  expect(await statuses()).toEqual([401, 401]);
});

test('[N2] where the list of sessions cannot be loaded it says so and offers to try again', async ({
  page,
}) => {
  await useSession(page.context(), await newShopper());
  const json = { code: 'FORBIDDEN' };
  await page.route('**/api/account/sessions', (route) => route.fulfill({ status: 403, json }), { times: 1 });
  await page.goto('/account/sign-in');
  const list = page.getByRole('region', { name: 'Where you are signed in' });
  await expect(list.getByRole('alert')).toBeVisible();
  await expect(list.getByText('Loading…')).toHaveCount(0);
  await list.getByRole('button', { name: 'Try again' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await expect(list.getByRole('alert')).toHaveCount(0);
});

test('[N2] what is asked of another’s sessions, or of none, is refused', async () => {
  const [mine, theirs] = await Promise.all([newShopper(), newShopper()]);
  const { sessions } = (await theirs.client.get('/api/account/sessions')).body;
  const [{ sessionId }] = sessions as [{ sessionId: string }];
  for (const id of [sessionId, 'nonsense', 'x'.repeat(500), '%00'])
    expectProblem(
      await mine.client.post(`/api/account/sessions/${id}/end`),
      404,
      id === '%00' ? 'NOT_FOUND' : 'SESSION_NOT_FOUND',
    );
  expect((await theirs.client.get('/api/orders')).status).toBe(200);
  const change = (body: unknown) => mine.client.post('/api/account/password', body);
  for (const body of [
    {},
    { currentPassword: 'x' },
    { currentPassword: 7, newPassword: 'long enough' },
    'null',
  ])
    expectProblem(await change(body), 422, 'VALIDATION');
  for (const newPassword of ['short', 'x'.repeat(201), '', null])
    expectProblem(await change({ currentPassword: mine.password, newPassword }), 422, 'VALIDATION');
  expectProblem(
    await change({ currentPassword: 'wrong', newPassword: 'long enough' }),
    403,
    'PASSWORD_WRONG',
  );
  const demo = await clientOf('shopper5@example.com');
  const taken = { currentPassword: 'demo-password', newPassword: 'mine now, all mine' };
  expectProblem(await demo.post('/api/account/password', taken), 409, 'DEMO_ACCOUNT');
  for (const timeZone of ['', 'Mars/Olympus', 'x'.repeat(65), 8, undefined])
    expectProblem(await mine.client.post('/api/account/time-zone', { timeZone }), 422, 'VALIDATION');
  for (const path of ['/api/account/password', '/api/account/time-zone', '/api/account/sessions/end'])
    expectProblem(await mine.client.post(path, {}, { isSameOrigin: false }), 403, 'CSRF');
});

test('[N1] an admin invites somebody, who joins the admin area by the link, once', async ({
  page,
  browser,
}) => {
  const email = `e2e-${unique()}@example.com`;
  await useSession(page.context(), { client: await demoAdmin() });
  await page.goto('/admin/users');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('form').or(page.locator('form')).getByLabel('Role').first().selectOption('Support');
  await page.getByRole('button', { name: 'Make a link' }).click();
  const link = (await page.getByText('/invite#').textContent()) ?? '';

  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(link);
  await expect(visitor.getByText(`${email} is invited to this shop as: Support.`)).toBeVisible();
  await expectAccessible(visitor, 'invitation');
  await visitor.getByRole('button', { name: 'Accept' }).click();
  await expect(visitor.getByLabel('Name')).toBeFocused();
  await visitor.getByLabel('Name').fill('Sue');
  await visitor.getByLabel('Password').fill('long enough');
  await visitor.getByRole('button', { name: 'Accept' }).click();
  await expect(visitor).toHaveURL(/\/admin\/sales$/);
  await expect(visitor.getByRole('navigation', { name: 'Admin' })).toBeVisible();

  const again = await (await browser.newContext()).newPage();
  await again.goto(link);
  await expect(again.getByRole('alert').filter({ hasText: 'This invitation was used' })).toBeVisible();
  await again.goto('/invite');
  await expect(again.getByRole('alert').filter({ hasText: 'This invitation was used' })).toBeVisible();
});

test('[N1] another link in the same tab is another invitation; accepted, it needs only the sign-in again', async ({
  page,
}) => {
  const admin = await demoAdmin();
  const emails = [1, 2].map(() => `e2e-${unique()}@example.com`);
  const made = await Promise.all(
    emails.map((email) => admin.post('/api/admin/invitations', { email, role: 'support' })),
  );
  for (const [at, email] of emails.entries()) {
    await page.goto(String(made[at]?.body.url));
    await expect(page.getByText(`${email} is invited to this shop as: Support.`)).toBeVisible();
  }
  await page.route('**/api/auth/callback/credentials', (route) => route.abort(), { times: 1 });
  await page.getByLabel('Name').fill('Sue');
  await page.getByLabel('Password').fill('long enough');
  const accept = page.getByRole('button', { name: 'Accept' });
  await accept.click();
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  await accept.click();
  await expect(page).toHaveURL(/\/admin\/sales$/);
});

test('[N1] somebody who has an account joins by its own password', async ({ page }) => {
  const shopper = await newShopper();
  const made = await (await demoAdmin()).post('/api/admin/invitations', {
    email: shopper.email,
    role: 'auditor',
  });
  await page.goto(String(made.body.url));
  await expect(page.getByText('There is an account with this address.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Choose a new one' })).toHaveAttribute(
    'href',
    '/forgot-password',
  );
  await page.getByLabel('Password').fill('a guess at it');
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByRole('alert').filter({ hasText: "don't match" })).toBeVisible();
  await page.getByLabel('Password').fill(shopper.password);
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByRole('link', { name: 'Audit log' })).toBeVisible();
  // The role is new, so the session with the old role has ended.
  expectProblem(await shopper.client.get('/api/orders'), 401, 'UNAUTHENTICATED');
});

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
])
  test(`[N2] every room of the account is one press away, ${viewport.width} wide; the language chosen there is that of pages and mails, the zone that of mails`, async ({
    page,
  }) => {
    const shopper = await newShopper();
    await page.setViewportSize(viewport);
    await useSession(page.context(), shopper);
    const rooms = page.getByRole('navigation', { name: 'Your account' }).getByRole('link');
    for (const [link, room] of [
      [/^Orders/, 'My orders'],
      [/^Addresses/, 'Addresses'],
      [/^Notices/, 'Notifications'],
      [/^Sign-in and security/, 'Sign-in and security'],
      [/^My data/, 'My data'],
      [/^Language and time zone/, 'Language and time zone'],
    ] as const) {
      await page.goto('/account');
      await expect(rooms).toHaveCount(6);
      for (const one of await rooms.all()) await expect(one).toBeInViewport();
      await rooms.filter({ hasText: link }).click();
      await expect(heading(page, room)).toBeVisible();
    }
    const zone = page.getByLabel('Time zone of your mails');
    await zone.selectOption('Asia/Shanghai');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'From now on mails tell times' })).toBeVisible();
    await page.reload();
    await expect(zone).toHaveValue('Asia/Shanghai');
    await page.getByRole('main').getByRole('button', { name: '中文' }).click();
    await expect(heading(page, '语言与时区')).toBeVisible();
    expect((await shopper.client.post('/api/email/send', {})).status).toBe(202);
    await expect.poll(() => verificationMailOf(shopper.userId)).toContain('/zh-CN/verify-email');
    await page.getByRole('button', { name: '中文' }).click();
    await expect(page.getByRole('status').filter({ hasText: '今后的邮件将使用中文。' })).toBeVisible();
  });
