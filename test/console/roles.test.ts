import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { describeInBrowser, errorsOf, follow, useBrowser } from './browser.ts';
import { pathsFor } from './paths.ts';
import { demoWorld, type ConsoleWorld, type Person } from './world.ts';

/** Names of buttons and links that change what belongs to the organization. */
const acts =
  /^(New|Create|Add|Connect|Edit|Delete|Remove|Invite|Resend|Revoke|Sync now|Disconnect|Acknowledge|Resolve|Reopen|Snooze|Archive|Apply|Mark|Start|Transfer|Rename|Change|Replace|Save)\b/;
/** Pages about the signed-in user, which every role can change. */
const own = /^\/settings(\/security|\/tokens|\/sessions|\/notifications)?$/;
/** Pages that a role cannot open have a separate test below. */
const refusedTo = {
  viewer: /\/(new|edit|connect|connect\/aws|invitations|audit)$/,
  member: /\/(alert-rules\/new|policies\/new|connect|connect\/aws|invitations|audit)$/,
} as const;

async function actsOn(page: Page): Promise<string[]> {
  const names = await page
    .getByRole('main')
    .locator('button:not(th button):visible, a[class*="Button"]:visible')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent?.trim() ?? ''));
  return names.filter((name) => acts.test(name));
}

/** Visits every page that this person's role can open.
 *  @param look returns the problems of the open page */
async function walk(
  world: ConsoleWorld,
  at: { page: Page; person: Person; without: RegExp },
  look: () => Promise<string[]>,
) {
  const faults: Record<string, string[]> = {};
  for (const path of Object.values(await pathsFor(world, at.person))) {
    if (at.without.test(path)) continue;
    await follow(at.page, path);
    const found = await look();
    if (found.length > 0) faults[path] = found;
  }
  return faults;
}

interface Names {
  readonly accounts: { readonly data: readonly { readonly id: string; readonly name: string }[] };
  readonly costsByService: {
    readonly groups: readonly { readonly service: string; readonly serviceCategory: string }[];
  };
}

const namesQuery = `query ($accountId: [ID!]) {
  accounts(perPage: 100) { data { id name } } costsByService(accountId: $accountId) { groups { service serviceCategory } } }`;

describeInBrowser('roles', () => {
  const world = demoWorld();
  const browser = useBrowser();

  it('offers a Viewer no action on what belongs to the organization', async () => {
    const person = await world().someone('viewer');
    const page = await browser.signedIn(world(), person);
    const faults = await walk(world(), { page, person, without: refusedTo.viewer }, async () => {
      const path = new URL(page.url()).pathname;
      return own.test(path) ? [] : actsOn(page);
    });
    expect(faults).toEqual({});
    expect(errorsOf(page)).toEqual([]);
  }, 90_000);

  it('blocks pages that a role cannot open, and does not link to them', async () => {
    const person = await world().someone('viewer');
    const page = await browser.signedIn(world(), person);
    const paths = Object.values(await pathsFor(world(), person)).filter((path) => refusedTo.viewer.test(path));
    for (const path of paths) {
      await follow(page, path);
      await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Not available for your role');
      expect(await page.locator(`a[href="${path}"]`).count()).toBe(0);
    }
    expect(paths.length).toBeGreaterThan(5);
  });

  it('shows the pages of a new role from the next request on', async () => {
    const person = await world().join('admin');
    const page = await browser.signedIn(world(), person);
    await follow(page, '/settings');
    const { data } = await world().rest<{ data: { id: string }[] }>('GET', `/org/members?search=${person.email}`);
    const become = (role: string) => world().rest('PATCH', `/org/members/${data[0]?.id}`, { body: { role } });
    await become('viewer');
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('heading', { level: 1, name: 'Not available for your role' }).waitFor();
    await become('admin');
    // As the browser does when the user returns to the tab.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  describe('a member with one account', () => {
    it('shows "No data" for a record of another account', async () => {
      const all = await world().gql<Names>(namesQuery);
      const mine = all.accounts.data.find(({ name }) => name === 'Azure')?.id ?? '';
      const theirs = all.accounts.data.find(({ id }) => id !== mine)?.id ?? '';
      const page = await browser.signedIn(world(), await world().someone('member', [mine]));
      for (const path of [`/accounts/${theirs}`, `/reports/${theirs}`]) {
        await follow(page, path);
        await expect.poll(() => page.getByRole('main').innerText(), { message: path }).toContain('No data');
        expect(await page.getByRole('alert').count(), path).toBe(0);
      }
    });

    it('shows no trace of the other accounts on any page or in any answer', async () => {
      const all = await world().gql<Names>(namesQuery);
      const mine = all.accounts.data.find(({ name }) => name === 'Azure')?.id ?? '';
      const ofMine = await world().gql<Names>(namesQuery, { accountId: [mine] });
      const seen = new Set(
        ofMine.costsByService.groups.flatMap(({ service, serviceCategory }) => [service, serviceCategory]),
      );
      const others = all.accounts.data.filter(({ id }) => id !== mine);
      const services = all.costsByService.groups.map(({ service }) => service).filter((service) => !seen.has(service));
      // In responses, names are quoted; on pages they are within other text, so only unique names are searched for.
      const hidden = [
        ...others.map(({ id }) => id),
        ...[...others.map(({ name }) => name), ...services].map((name) => `"${name}"`),
      ];
      const unspoken = ['AWS production', ...services.filter((service) => /^(Amazon|AWS) /.test(service))];
      expect(Math.min(hidden.length, unspoken.length)).toBeGreaterThan(10);
      const person = await world().someone('member', [mine]);
      const page = await browser.signedIn(world(), person);
      const answers: string[] = [];
      page.on('response', (response) => {
        if (!/\/graphql$|\/api\//.test(response.url())) return;
        void response.text().then(
          (text) => answers.push(text),
          () => null,
        );
      });
      const faults = await walk(world(), { page, person, without: refusedTo.member }, async () => {
        const told = answers.splice(0).join('\n');
        const text = await page.locator('body').innerText();
        return [...hidden.filter((name) => told.includes(name)), ...unspoken.filter((name) => text.includes(name))];
      });
      expect(faults).toEqual({});
      expect(errorsOf(page)).toEqual([]);
    }, 120_000);
  });
});
