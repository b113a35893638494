import { expect, test } from '@playwright/test';
import { newShopper } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { execute } from '../support/database';
import { buyButton, buyLink, useSession } from '../support/shop';
import { buyIt, newWaitingRoom, shot } from '../support/waiting-room';

test('[M1 M2] who waits with little hope joins the waitlist with one press, keeps the place in the line, and gets what comes back', async ({
  page,
  context,
}) => {
  test.setTimeout(900_000);
  const [owner, shopper, stranger] = await Promise.all([newShopper(), newShopper(), newShopper()]);
  const { slug, saleId } = await newWaitingRoom(1_000, 1, true);
  const orderNo = await buyIt(owner, saleId);
  expect(await stranger.client.post(`/api/sales/${saleId}/waitlist`)).toMatchObject({
    status: 404,
    body: { code: 'NOT_IN_LINE' },
  });
  expect((await shopper.client.post(`/api/sales/${saleId}/line`)).status).toBe(201);
  await useSession(context, shopper);
  await page.goto(`/sales/${slug}`);
  await expect(page.getByText(/^Every item is set aside for somebody just now/)).toBeVisible();
  const join = page.getByRole('button', { name: 'Join the waitlist' });
  await expectAccessible(page, 'a waiting room with little hope');
  await shot(page, 'hopeless');
  await join.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('You are also number 1 on the waitlist.')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /^You are on the waitlist\./ })).toHaveCount(1);
  await expectAccessible(page, 'a waiting room and a place on the waitlist');
  await shot(page, 'both');
  await page.reload();
  await expect(page.getByText('You are also number 1 on the waitlist.')).toBeVisible();
  await expect(page.getByText('In front of you, at most')).toBeVisible();
  await page.getByRole('button', { name: 'Leave the waitlist' }).click();
  await expect(join).toBeVisible();
  await expect(page.getByText('In front of you, at most')).toBeVisible();
  await join.click();
  await expect(page.getByText('You are also number 1 on the waitlist.')).toBeVisible();

  await expect.poll(async () => (await owner.client.post(`/api/orders/${orderNo}/cancel`)).status).toBe(200);
  await expect(buyLink(page, /^Pay within/)).toBeVisible({ timeout: 150_000 });
});

for (const { locale, signal, isOn, title, missed, rejoin, over } of [
  {
    locale: '',
    signal: 'Call me with a sound',
    isOn: 'Sound is on',
    title: /^Your turn! · /,
    missed: /^Your two minutes are over, and the next person was let in\. You can join again/,
    rejoin: 'Join again at the back',
    over: /^Your turn is over · /,
  },
  {
    locale: '/zh-CN',
    signal: '用声音提醒我',
    isOn: '声音提醒已开',
    title: /^轮到您了！ · /,
    missed: /^曾轮到您，但两分钟已过，已让下一位进入。您可以重新排到队尾。/,
    rejoin: '重新排到队尾',
    over: /^您的轮次已过 · /,
  },
])
  test(`[M1] a turn is told in the tab's title and icon and with a sound, for as long as it lasts, and so is a missed one (${locale || '/en'})`, async ({
    page,
    context,
  }) => {
    test.setTimeout(900_000);
    const shopper = await newShopper();
    const { slug, saleId } = await newWaitingRoom(75_000, 5);
    expect((await shopper.client.post(`/api/sales/${saleId}/line`)).status).toBe(201);
    await useSession(context, shopper);
    await page.addInitScript(() => {
      const counts = { tones: 0, trembles: 0 };
      Object.assign(window, { counts });
      const { start } = OscillatorNode.prototype;
      OscillatorNode.prototype.start = function (...given) {
        counts.tones += 1;
        return start.apply(this, given);
      };
      navigator.vibrate = () => {
        counts.trembles += 1;
        return true;
      };
    });
    await page.goto(`${locale}/sales/${slug}`);
    await page.getByRole('button', { name: signal }).click();
    await expect(page.getByRole('button', { name: isOn })).toHaveAttribute('aria-pressed', 'true');
    const rung = () => page.evaluate(() => (window as unknown as { counts: object }).counts);
    await expect.poll(rung).toEqual({ tones: 2, trembles: 1 });
    // The shopper looks at another tab meanwhile.
    const other = await context.newPage();
    await other.goto(`${locale}/`);
    await other.bringToFront();
    await expect(page).toHaveTitle(title, { timeout: 180_000 });
    await expect(page.locator('head link[rel="icon"][href^="data:image/svg"]')).toHaveCount(1);
    await expect.poll(rung).toEqual({ tones: 4, trembles: 2 });
    await expect(buyButton(page, locale ? '立即抢购' : 'Buy now')).toBeEnabled({ timeout: 150_000 });
    // Longer than letting in takes: the title stays as long as the turn.
    await expect(
      page.getByText(locale ? /^轮到您了：请在 0[01]:\d\d/ : /^It is your turn: buy within 0[01]:\d\d/),
    ).toBeVisible();
    await expect(page).toHaveTitle(title);
    await other.close();
    expect(await rung()).toEqual({ tones: 4, trembles: 2 });

    // Two minutes later.
    await execute(
      `UPDATE line_entries SET entered_at = entered_at - interval '121 seconds' WHERE sale_id = $1`,
      [saleId],
    );
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await expect(page.getByText(missed)).toBeVisible({ timeout: 150_000 });
    await expect(page).toHaveTitle(over);
    await buyButton(page, rejoin).click();
    await expect(buyButton(page, locale ? '立即抢购' : 'Buy now')).toBeEnabled({ timeout: 150_000 });
  });

test('[M1] a screen reader hears of a moving line at a few marks only', async ({ page, context }) => {
  test.setTimeout(900_000);
  const [owner, shopper] = await Promise.all([newShopper(), newShopper()]);
  const { slug, saleId } = await newWaitingRoom(1_000);
  await buyIt(owner, saleId);
  // A crowd comes next, and then our shopper.
  await execute(
    `WITH crowd AS (
       INSERT INTO line_entries (sale_id, user_id, number, nonce, joined_at)
       SELECT $1, id, row_number() OVER (ORDER BY id), decode(md5(id), 'hex'), clock_timestamp() FROM users
       WHERE id <> $2 AND NOT EXISTS (SELECT FROM line_entries e WHERE e.sale_id = $1 AND e.user_id = users.id)
       ORDER BY id LIMIT 120 RETURNING 1)
     UPDATE lines SET next_number = next_number + (SELECT count(*) FROM crowd) WHERE sale_id = $1`,
    [saleId, shopper.userId],
  );
  const { body } = await shopper.client.post(`/api/sales/${saleId}/line`);
  const place = Number(body.place);
  await useSession(context, shopper);
  await page.goto(`/sales/${slug}`);
  await expect(page.getByText('In front of you, at most')).toBeVisible();
  await page.evaluate(() => {
    const heard: string[] = [];
    const seen: string[] = [];
    Object.assign(window, { heard, seen });
    const live = (node: Node | null) =>
      (node instanceof Element ? node : node?.parentElement)?.closest(
        '[role=status], [role=alert], [aria-live]',
      );
    new MutationObserver((changes) => {
      const regions = new Set(changes.map(({ target }) => live(target)).filter(Boolean));
      for (const region of regions) if (region?.textContent) heard.push(region.textContent);
      const ahead = document.querySelector('dd')?.textContent ?? '';
      if (seen.at(-1) !== ahead) seen.push(ahead);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  // As much as moves in a minute: a step a second.
  const STEPS = 60;
  for (let step = 1; step <= STEPS; step += 1) {
    const admitted = 1 + Math.floor(((place - 2) * step) / STEPS);
    await execute(
      `UPDATE lines SET admitted = greatest(admitted, $2), version = version + 1,
         steps = steps || jsonb_build_array(jsonb_build_array((extract(epoch FROM clock_timestamp()) * 1000)::bigint, $2::int))
       WHERE sale_id = $1`,
      [saleId, admitted],
    );
    await expect(page).toHaveTitle(new RegExp(`^${place - admitted} ahead · `), { timeout: 150_000 });
  }
  const [heard, seen] = await page.evaluate(() => {
    const { heard: said, seen: shown } = window as unknown as { heard: string[]; seen: string[] };
    return [said, shown];
  });
  console.info(
    `${seen.length} different numbers were shown, ${heard.length} times something was said: ${heard.join(' | ')}`,
  );
  expect(seen.length).toBeGreaterThan(30);
  expect(heard.length).toBeGreaterThan(0);
  // A shop that stands still with its machine is told of, too.
  const ofLine = heard.filter((text) => !text.startsWith("We couldn't reach the shop"));
  expect(ofLine.length).toBeLessThanOrEqual(5);
  expect(heard).toContain('At most 5 people are in front of you.');
});
