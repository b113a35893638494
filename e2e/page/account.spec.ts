import { expect, test } from '@playwright/test';
import { totpCode } from '../../lib/account/factors/totp';
import { demoAdmin, newShopper, unique } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { BOTH_LOOKS } from '../support/both-looks';
import { Client } from '../support/client';
import { resetTokenOf } from '../support/mails';
import { expectProblem } from '../support/problem';
import { enter, expectEntryEnded, newSale } from '../support/sales';
import { formWorks, heading, useSession } from '../support/shop';

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
  await expect(heading(page, 'Your account')).toBeVisible();
  await expect(new Client().signIn(shopper.email, shopper.password)).rejects.toThrow('could not sign in');
  await new Client().signIn(shopper.email, 'another long one');
});

const FORGOTTEN = {
  English: {
    forgot: 'Forgot your password?',
    email: 'E-mail',
    send: 'Send the link',
    sent: /a mail is on its way/,
    password: 'New password',
    save: 'Save the password',
    done: /Your new password is set for/,
    used: /This link was used or has run out/,
  },
  Chinese: {
    forgot: '忘记密码？',
    email: '邮箱',
    send: '发送链接',
    sent: /邮件已在路上/,
    password: '新密码',
    save: '保存密码',
    done: /的新密码已设置/,
    used: /该链接已使用或已过期/,
  },
};

for (const { language, path, viewport } of BOTH_LOOKS)
  test(`[N2 N3] a forgotten password is replaced by the link of a mail, once, and ends every session and its entry tokens (${language})`, async ({
    page,
  }) => {
    const words = FORGOTTEN[language];
    await page.setViewportSize(viewport);
    const [shopper, { saleId }] = await Promise.all([newShopper(), newSale()]);
    const elsewhere = await new Client().signIn(shopper.email, shopper.password);
    const entryToken = await enter({ client: elsewhere }, saleId);
    await page.goto(`${path}/signin`);
    await page.getByRole('link', { name: words.forgot }).click();
    await expect(heading(page, words.forgot)).toBeVisible();
    await page.getByRole('button', { name: words.send }).click();
    await expect(page.getByLabel(words.email)).toBeFocused();
    await page.getByLabel(words.email).fill(shopper.email);
    await page.getByRole('button', { name: words.send }).click();
    await expect(page.getByRole('status').filter({ hasText: words.sent })).toBeVisible();
    await expectAccessible(page, 'password asked');

    await expect.poll(() => resetTokenOf(shopper.userId), { timeout: 150_000 }).toBeTruthy();
    const link = `${path}/reset-password#${resetTokenOf(shopper.userId)}`;
    await page.goto(link);
    await page.getByLabel(words.password).fill('short');
    await page.getByRole('button', { name: words.save }).click();
    await expect(page.getByLabel(words.password)).toBeFocused();
    await page.getByLabel(words.password).fill('a far better one');
    await page.getByRole('button', { name: words.save }).click();
    await expect(page.getByRole('status').filter({ hasText: words.done })).toBeVisible();
    await expectAccessible(page, 'password reset');
    expectProblem(await elsewhere.get('/api/orders'), 401, 'UNAUTHENTICATED');
    await expectEntryEnded(saleId, entryToken);
    await new Client().signIn(shopper.email, 'a far better one');

    await page.goto('about:blank');
    await page.goto(link);
    await page.getByLabel(words.password).fill('yet another one');
    await page.getByRole('button', { name: words.save }).click();
    await expect(page.getByRole('alert').filter({ hasText: words.used })).toBeVisible();
    await expectAccessible(page, 'password used');
  });

const SESSIONS = {
  English: {
    list: 'Where you are signed in',
    thisOne: 'This one',
    end: /^End /,
    ended: /^Ended: .+, since .+\.$/,
    everywhere: 'Sign out everywhere',
    signIn: 'Sign in',
  },
  Chinese: {
    list: '登录记录',
    thisOne: '当前',
    end: /^结束 /,
    ended: /^已结束：.+ 登录）。$/,
    everywhere: '退出所有设备',
    signIn: '登录',
  },
};

for (const { language, path, viewport } of BOTH_LOOKS)
  test(`[N2 N3] a shopper sees where they are signed in, ends one, then all: a stolen cookie and its entry token stop (${language})`, async ({
    page,
  }) => {
    const words = SESSIONS[language];
    await page.setViewportSize(viewport);
    const [shopper, { saleId }] = await Promise.all([newShopper(), newSale()]);
    const [one, two] = await Promise.all(
      [1, 2].map(() => new Client().signIn(shopper.email, shopper.password)),
    );
    await useSession(page.context(), shopper);
    await page.goto(`${path}/account`);
    const list = page.getByRole('region', { name: words.list });
    await expect(list.getByRole('listitem')).toHaveCount(3);
    await expect(list.getByRole('listitem').filter({ hasText: words.thisOne })).toHaveCount(1);
    await list.getByRole('button', { name: words.end }).first().click();
    await expect(list.getByRole('listitem')).toHaveCount(2);
    await expect(list.getByRole('status')).toHaveText(words.ended);
    await expect(list.getByRole('button', { name: words.end })).toBeFocused();
    const statuses = async () =>
      (await Promise.all([one, two].map((client) => client?.get('/api/orders')))).map(
        (answer) => answer?.status,
      );
    expect((await statuses()).sort()).toEqual([200, 401]);
    await expectAccessible(page, 'account');

    // The thief has a copy of this browser's cookie, and has entered a sale by it.
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const asThief = () => new Client().get('/api/orders', { headers: { cookie } });
    expect((await asThief()).status).toBe(200);
    const entryToken = await enter(shopper, saleId);
    await list.getByRole('button', { name: words.everywhere }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: words.everywhere }).click();
    await expect(heading(page, words.signIn)).toBeVisible();
    expect(await statuses()).toEqual([401, 401]);
    expectProblem(await asThief(), 401, 'UNAUTHENTICATED');
    await expectEntryEnded(saleId, entryToken);
  });

test('[N2] where the list of sessions cannot be loaded it says so and offers to try again', async ({
  page,
}) => {
  await useSession(page.context(), await newShopper());
  const json = { code: 'FORBIDDEN' };
  await page.route('**/api/account/sessions', (route) => route.fulfill({ status: 403, json }), { times: 1 });
  await page.goto('/account');
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
  const demo = await new Client().signIn('shopper5@example.com', 'demo-password');
  const taken = { currentPassword: 'demo-password', newPassword: 'mine now, all mine' };
  expectProblem(await demo.post('/api/account/password', taken), 409, 'DEMO_ACCOUNT');
  for (const path of ['/api/account/password', '/api/account/sessions/end'])
    expectProblem(await mine.client.post(path, {}, { isSameOrigin: false }), 403, 'CSRF');
});

test('[N5] a shopper sets up an app for one-time codes, signs in with a code, and removes it with a recovery code', async ({
  page,
  browser,
}) => {
  const shopper = await newShopper();
  await useSession(page.context(), shopper);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Set up an app' }).click();
  const section = page.getByRole('region', { name: 'Second factor' });
  await section.getByLabel('Present password').fill(shopper.password);
  await section.getByRole('button', { name: 'Set up an app' }).click();
  await expect(section.getByRole('img', { name: 'QR code of the secret' })).toBeVisible();
  await expectAccessible(page, 'the secret of an app');
  const secret = ((await section.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/).textContent()) ?? '').replaceAll(
    ' ',
    '',
  );
  await section.getByLabel('Code', { exact: true }).fill('12345');
  await section.getByRole('button', { name: 'Confirm' }).click();
  await expect(section.getByLabel('Code', { exact: true })).toBeFocused();
  await section.getByLabel('Code', { exact: true }).fill(totpCode(secret));
  await section.getByRole('button', { name: 'Confirm' }).click();
  await expect(section.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
  await expect(section.getByRole('listitem')).toHaveCount(10);
  const recoveryCode = (await section.getByRole('listitem').first().textContent()) ?? '';
  await expectAccessible(page, 'recovery codes');
  await section.getByRole('button', { name: 'I have kept them' }).click();
  await expect(section.getByText('10 recovery codes are left.')).toBeVisible();

  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto('/signin?callbackUrl=%2Faccount');
  await formWorks(visitor);
  await visitor.getByLabel('E-mail').fill(shopper.email);
  await visitor.getByLabel('Password').fill(shopper.password);
  await visitor.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(heading(visitor, 'One more step')).toBeVisible();
  await visitor.getByLabel('Code', { exact: true }).fill('000000-not-a-code');
  await visitor.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(
    visitor.getByRole('alert').filter({ hasText: 'This code is wrong or was used.' }),
  ).toBeVisible();
  // The present code may be the one that was used; the next is good, too.
  await visitor.getByLabel('Code', { exact: true }).fill(totpCode(secret, Date.now() + 30_000));
  await visitor.keyboard.press('Enter');
  await expect(heading(visitor, 'Your account')).toBeVisible();

  await section.getByRole('button', { name: 'Remove the app' }).click();
  await section.getByLabel('Present password').fill(shopper.password);
  await section.getByLabel('Code', { exact: true }).fill(recoveryCode);
  await section.getByRole('button', { name: 'Remove the app' }).click();
  await expect(section.getByText('The app is removed.')).toBeVisible();
  await new Client().signIn(shopper.email, shopper.password);
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
  await page.getByLabel('Password').fill('a guess at it');
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByRole('alert').filter({ hasText: "don't match" })).toBeVisible();
  await page.getByLabel('Password').fill(shopper.password);
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByRole('link', { name: 'Audit log' })).toBeVisible();
  // The role is new, so the session with the old role has ended.
  expectProblem(await shopper.client.get('/api/orders'), 401, 'UNAUTHENTICATED');
});
