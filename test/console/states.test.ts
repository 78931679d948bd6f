import { expect, it } from 'vitest';
import { describeInBrowser, errorsOf, follow, settled, useBrowser } from './browser.ts';
import { demoWorld, emptyWorld } from './world.ts';

describeInBrowser('when the API fails', () => {
  const world = demoWorld();
  const browser = useBrowser();

  it('reports an unavailable server, and retries when it is back', async () => {
    const page = await browser.signedIn(world());
    await follow(page, '/budgets');
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Anomalies' }).click();
    await page
      .getByText(/server is not available|could not be loaded/)
      .first()
      .waitFor();
    await page.context().setOffline(false);
    await page
      .getByRole('button', { name: /Retry|Reload/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'Anomalies' }).waitFor();
    await page.getByRole('table', { name: 'Anomalies' }).waitFor();
    await settled(page);
    expect(await page.getByRole('alert').count()).toBe(0);
    // Queries without a retry button were also retried: account names and filter choices.
    await page.getByRole('table').getByText('Google Cloud').first().waitFor();
    await page.getByRole('combobox', { name: 'Service' }).click();
    await page.getByRole('option', { name: 'BigQuery' }).waitFor();
  });

  it('redirects from a session ended elsewhere to the login, and then back to the page', async () => {
    const page = await browser.signedIn(world());
    await follow(page, '/forecast');
    const { data } = await world().rest<{ data: { id: string; user_agent: string }[] }>('GET', '/auth/sessions');
    for (const { id } of data.filter((session) => session.user_agent.includes('Chrome')))
      await world().rest('DELETE', `/auth/sessions/${id}`);
    await page.getByRole('link', { name: 'Budgets', exact: true }).click();
    await page.getByText(/session has ended/).waitFor();
    await page.getByLabel('Email').fill(world().admin.email);
    await page.getByLabel('Password', { exact: true }).fill(world().admin.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Budgets' }).waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('logs out of every tab when one logs out', async () => {
    const page = await browser.signedIn(world());
    const other = await page.context().newPage();
    await other.goto(`${world().url}/costs`);
    await other.locator('#main').waitFor();
    await page.getByRole('button', { name: /: menu$/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    for (const tab of [page, other]) await tab.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await other.reload();
    await other.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual([]);
  });
});

describeInBrowser('a rate limit', () => {
  const world = emptyWorld({ RATE_LIMIT_READ: '12' });
  const browser = useBrowser();

  it('shows its duration, and keeps the page', async () => {
    const { email, password } = world().admin;
    const page = await (await browser.window()).newPage();
    await page.goto(`${world().url}/register`);
    await page.getByLabel('Your name').fill('Ana');
    await page.getByLabel('Organization name').fill('Plum');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.locator('#main').waitFor();
    const limited = page.getByText('Too many requests').first();
    for (const path of [
      '/costs',
      '/budgets',
      '/reports',
      '/tags',
      '/forecast',
      '/anomalies',
      '/accounts',
      '/inventory',
    ]) {
      if (await limited.isVisible()) break;
      // The page waits, and so does not settle.
      await Promise.race([follow(page, path).catch(() => {}), limited.waitFor()]);
    }
    await limited.waitFor();
    await expect.poll(() => page.getByText(/Too many requests, retrying in \d+ s/).count()).toBe(1);
    // The current user is then refetched, and this request is rejected, too.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1);
    await expect.poll(() => page.getByRole('navigation', { name: 'Pages' }).count()).toBe(1);
  });
});
