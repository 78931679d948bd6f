import { expect, it } from 'vitest';
import { axeIssues } from './axe.ts';
import { describeInBrowser, errorsOf, signIn, useBrowser } from './browser.ts';
import { emptyWorld, newOrganization, registerAt, type ConsoleWorld, type Person } from './world.ts';

async function register(world: ConsoleWorld, person: Person, organization: string): Promise<void> {
  await registerAt(world.url, { ...person, name: 'Bea Example', organization_name: organization });
}

describeInBrowser('signing in', () => {
  const world = newOrganization();
  const browser = useBrowser();
  const password = 'plum kite orbit';

  it('continues to the requested page with its filters, also after visiting another page', async () => {
    const page = await (await browser.window()).newPage();
    const wanted = `${world().url}/budgets?status=WARNING`;
    await page.goto(wanted);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await signIn(page, world().admin);
    await page.getByRole('heading', { level: 1, name: 'Budgets' }).waitFor();
    await expect.poll(() => page.url()).toBe(wanted);
    await page.goto(`${world().url}/login`);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.goto(`${world().url}/login?next=//example.com/`);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await expect.poll(() => page.url()).toBe(`${world().url}/`);
    // A page of the server: the browser loads it.
    await page.goto(`${world().url}/login?next=/docs`);
    await page.waitForURL(`${world().url}/docs`);
    await expect.poll(() => page.title()).toBe('Costkeep REST API');
  });

  it('logs no failed request in a browser that has not signed in, or has signed out', async () => {
    const page = await (await browser.window()).newPage();
    const failed: string[] = [];
    page.on('console', (message) => message.type() === 'error' && failed.push(message.text()));
    await page.goto(`${world().url}/login`);
    await signIn(page, world().admin);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: /: menu$/ }).click();
    const answered = page.waitForResponse((response) => response.url().endsWith('/auth/logout'));
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    expect((await answered).status()).toBe(204);
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('costkeep.signed-in'))).toBeNull();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(failed).toEqual([]);
  });

  it('shares one session between tabs: a login and a logout take effect in all of them', async () => {
    const gus = { email: 'gus@example.com', password };
    const hal = { email: 'hal@example.com', password };
    await register(world(), gus, 'Gull Heron');
    await register(world(), hal, 'Hazel Ibis');
    const context = await browser.window();
    const [page, other] = [await context.newPage(), await context.newPage()];
    const isIn = (organization: RegExp) => page.getByRole('button', { name: organization }).waitFor();
    const logOut = async (tab: typeof page) => {
      await tab.getByRole('button', { name: /: menu$/ }).click();
      await tab.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    for (const tab of [page, other]) await tab.goto(`${world().url}/login/?next=/%09/example.com/`);
    await signIn(page, gus);
    await isIn(/Gull Heron.*: menu$/);
    await signIn(other, hal);
    await isIn(/Hazel Ibis.*: menu$/);
    // A suspended tab detects that its token has expired, before it sends a request.
    await other.evaluate(async (body) => {
      const headers = { 'content-type': 'application/json' };
      await fetch('/api/v1/auth/login', { method: 'POST', headers, body });
    }, JSON.stringify(gus));
    await page.evaluate(() => {
      const now = Date.now();
      Date.now = () => now + 16 * 60_000;
    });
    await page.getByRole('link', { name: 'Budgets', exact: true }).click();
    await isIn(/Gull Heron.*: menu$/);
    await logOut(other);
    await page.getByRole('status').getByText('You signed out in another tab.').waitFor();

    await signIn(page, gus);
    await page.locator('#main').waitFor();
    await context.setOffline(true);
    await logOut(page);
    await page.getByRole('status').getByText('The server did not respond, so you are still signed in.').waitFor();
    expect([...errorsOf(page), ...errorsOf(other)]).toEqual([]);
  });
});

describeInBrowser('signing in to a server with closed registration and strict limits', () => {
  const world = emptyWorld({ REGISTRATION: 'invite', RATE_LIMIT_AUTH: '2' });
  const browser = useBrowser();

  it('shows that registration is closed, and the duration of a rate limit', async () => {
    const page = await (await browser.window()).newPage();
    await page.goto(`${world().url}/register`);
    await page.getByLabel('Your name').fill('Ana Example');
    await page.getByLabel('Email').fill(world().admin.email);
    await page.getByLabel('Password', { exact: true }).fill(world().admin.password);
    await page.getByLabel('Organization name').fill('Plum Kite');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('accepts new users by invitation only; ask an Admin').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, world().admin);
    await page.getByRole('alert').getByText('The email or the password is wrong.').waitFor();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const limited = page.getByRole('alert').filter({ hasText: 'Too many requests' });
    await limited.waitFor();
    await expect.poll(() => limited.innerText()).toMatch(/try again in (1 min 00|\d\d?) s\./);
    expect(await axeIssues(page)).toEqual([]);
  });
});
