import { expect, it } from 'vitest';
import { seriousIssues } from './axe.ts';
import { describeInBrowser, errorsOf, signIn, useBrowser } from './browser.ts';
import { emptyWorld, newOrganization, registerAt, type ConsoleWorld, type Person } from './world.ts';

/** Returns the token in a mail's link. */
async function tokenFor(world: ConsoleWorld, email: string): Promise<string> {
  return /[?&]token=([\w.%-]+)/.exec(await world.mailTo(email))?.[1] ?? '';
}

async function register(world: ConsoleWorld, person: Person, organization: string): Promise<void> {
  await registerAt(world.url, { ...person, name: 'Bea Example', organization_name: organization });
}

describeInBrowser('signing in', () => {
  const world = newOrganization();
  const browser = useBrowser();
  const password = 'plum kite orbit';

  it('registers an organization, and shows errors at their fields', async () => {
    const page = await (await browser.window()).newPage();
    await page.goto(`${world().url}/login`);
    await page.getByRole('link', { name: 'Create an organization' }).click();
    await page.getByRole('button', { name: 'Create organization' }).click();
    for (const fault of ['Enter your name', 'Enter your email address', 'Use at least 8 characters'])
      await expect.poll(() => page.getByText(fault, { exact: true }).count()).toBe(1);
    await expect
      .poll(() => page.getByLabel('Your name').evaluate((field) => field === document.activeElement))
      .toBe(true);
    await page.getByLabel('Your name').fill('Cleo Example');
    await page.getByLabel('Email').fill(world().admin.email);
    await page.getByLabel('Password', { exact: true }).fill('password1');
    await page.getByLabel('Organization name').fill('Copper Lark');
    await page.keyboard.press('Enter');
    await page.getByText('Password is one of the most common passwords').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('is already registered').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Sign in instead' }).getAttribute('href')).toBe('/login');
    await page.getByLabel('Email').fill('cleo@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
    await expect.poll(() => page.getByRole('button', { name: /: menu$/ }).innerText()).toContain('Copper Lark');
    expect(errorsOf(page)).toEqual([]);
  });

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

  it('shows the same error for a wrong password and an unknown address, and the duration of a lock', async () => {
    const page = await (await browser.window()).newPage();
    await page.goto(`${world().url}/login`);
    const said = async (email: string) => {
      await signIn(page, { email, password: 'not the password' });
      return page.getByRole('alert').innerText();
    };
    expect(await said('nobody@example.com')).toBe('The email or the password is wrong.');
    for (const _ of Array.from({ length: 5 })) {
      await signIn(page, { email: world().admin.email, password: 'not the password' });
      await page.getByRole('alert').getByText('The email or the password is wrong.').waitFor();
    }
    await signIn(page, world().admin);
    const locked = page.getByRole('alert').filter({ hasText: 'Temporarily locked' });
    await locked.waitFor();
    await expect.poll(() => locked.innerText()).toMatch(/try again in (1 min 00|\d\d?) s/);
    await page.getByLabel('Email').fill('nobody@example.com');
    await expect.poll(() => locked.count()).toBe(0);
  });

  it('resets a forgotten password by mail, once, which also ends the lock', async () => {
    const page = await (await browser.window()).newPage();
    const { email } = world().admin;
    for (const address of ['nobody@example.com', email]) {
      await page.goto(`${world().url}/forgot-password`);
      await page.getByLabel('Email').fill(address);
      await page.keyboard.press('Enter');
      await page.getByText(`If an account with ${address} exists, you will receive an email with a link.`).waitFor();
    }
    const link = `${world().url}/reset-password?token=${await tokenFor(world(), email)}`;
    await page.goto(link);
    await page.getByLabel('New password').fill('short');
    await page.keyboard.press('Enter');
    await page.getByText('Use at least 8 characters').waitFor();
    await page.getByLabel('New password').fill('amber quiet river');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Password changed' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, { email, password: 'amber quiet river' });
    await page.locator('#main').waitFor();
    await page.goto(link);
    await page.getByLabel('New password').fill('another quiet river');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
    await page.getByRole('link', { name: 'Send a new link' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/forgot-password');
  });

  it('accepts an invitation with a new account, and with an account that exists', async () => {
    const owner = { email: 'dora@example.com', password };
    const known = { email: 'eli@example.com', password };
    await register(world(), owner, 'Dune Otter');
    await register(world(), known, 'Elm Finch');
    const emails = ['fay@example.com', known.email];
    await world().rest('POST', '/org/invite', { body: { emails, role: 'viewer' }, as: owner });
    const page = await (await browser.window()).newPage();
    for (const [token, fault] of [
      ['of-another-time', 'This invitation is unknown: the link is incomplete'],
      [await tokenFor(world(), 'fay@example.com'), 'Email must be the address that the invitation was sent to'],
    ] as const) {
      await page.goto(`${world().url}/invite?token=${token}`);
      await page.getByLabel('Your name').fill('Fay Example');
      await page.getByLabel('Email').fill('someone@example.com');
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.keyboard.press('Enter');
      await page.getByText(fault).waitFor();
    }
    await page.getByLabel('Email').fill('fay@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /: menu$/ }).innerText()).toContain('Dune Otter');

    const other = await (await browser.window()).newPage();
    await other.goto(`${world().url}/invite?token=${await tokenFor(world(), known.email)}`);
    await other.getByRole('link', { name: 'Sign in to accept' }).click();
    await signIn(other, known);
    await other.getByRole('button', { name: 'Accept invitation' }).click();
    await other.getByRole('button', { name: /Dune Otter.*: menu$/ }).waitFor();
    await expect.poll(() => new URL(other.url()).pathname).toBe('/');
    await other.goto(`${world().url}/invite?token=${await tokenFor(world(), known.email)}`);
    await other.getByRole('button', { name: 'Accept invitation' }).click();
    await other.getByRole('alert').getByText('already accepted').waitFor();
    await expect.poll(() => other.evaluate(() => document.activeElement?.id)).toBe('page-title');
    await expect.poll(() => other.getByRole('link', { name: 'Go to the overview' }).count()).toBe(1);
    expect([...errorsOf(page), ...errorsOf(other)]).toEqual([]);
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
  const world = emptyWorld({ REGISTRATION: 'invite', RATE_LIMIT_AUTH: '3' });
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
    expect(await seriousIssues(page)).toEqual([]);
  });
});
