import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { axeIssues } from './axe.ts';
import { describeInBrowser, errorsOf, follow, settled, useBrowser, visit } from './browser.ts';
import { demoWorld } from './world.ts';

describeInBrowser('the shell', () => {
  const world = demoWorld();
  const browser = useBrowser();
  let page: Page;
  beforeAll(async () => {
    page = await browser.signedIn(world());
  });

  it('reaches the content and every page by keyboard', async () => {
    await visit(page, '/');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    for (const index of Array.from({ length: await links.count() }, (_, at) => at)) {
      await links.nth(index).focus();
      await page.keyboard.press('Enter');
      await settled(page);
      await expect.poll(() => links.nth(index).getAttribute('aria-current')).toBe('page');
      await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1);
      await expect.poll(() => page.title()).toMatch(/^.+ · Costkeep$/);
    }
    expect(errorsOf(page)).toEqual([]);
  }, 120_000);

  it('prints no links that look like buttons', async () => {
    await follow(page, '/budgets');
    const link = page.getByRole('main').getByRole('link', { name: 'New budget' });
    await link.waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await link.count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
  });

  it('opens the first row of a table in four key presses', async () => {
    await visit(page, '/recommendations');
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    const first = page.getByRole('table', { name: 'Recommendations' }).locator('tbody tr').first().getByRole('link');
    await expect.poll(() => first.first().evaluate((link) => link === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/recommendations\/./);
    await visit(page, '/settings');
    for (const key of ['Tab', 'Tab']) await page.keyboard.press(key);
    expect(await page.evaluate(() => document.activeElement?.textContent)).not.toBe('Skip to table');
  });

  it('puts the pages into a menu on a phone, which takes the keyboard focus only while it is open', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await follow(page, '/');
    const menu = page.getByRole('button', { name: 'Menu', exact: true });
    const places = page.getByRole('navigation', { name: 'Pages' });
    const navigationAfter = async (times: number) => {
      await menu.focus();
      for (const _ of Array.from({ length: times })) await page.keyboard.press('Tab');
      return page.evaluate(() => document.activeElement?.closest('nav')?.ariaLabel ?? null);
    };
    expect(await navigationAfter(6)).toBeNull();
    await menu.press('Enter');
    expect(await navigationAfter(6)).toBe('Pages');
    await page.keyboard.press('Escape');
    await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('false');
    await expect.poll(() => menu.evaluate((button) => button === document.activeElement)).toBe(true);
    await menu.click();
    await places.getByRole('link', { name: 'Overview' }).click();
    await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('false');
    await expect.poll(() => page.locator('h1').innerText()).toBe('Overview');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('finds resources, budgets, policies, anomalies and recommendations by name, and services by short names', async () => {
    const { inventory, budgets, recommendations } = await world().gql<
      Record<string, { data: { id: string; name: string; title: string }[] }>
    >(
      '{ inventory(perPage: 1, sortBy: COST_LAST_30_DAYS_DESC) { data { id name } } budgets(perPage: 1) { data { id name } } recommendations(perPage: 1, status: [OPEN, IN_PROGRESS]) { data { id title } } }',
    );
    for (const [text, href] of [
      [inventory?.data[0]?.name, `/inventory/${inventory?.data[0]?.id}`],
      [budgets?.data[0]?.name, `/budgets/${budgets?.data[0]?.id}`],
      [recommendations?.data[0]?.title, `/recommendations/${recommendations?.data[0]?.id}`],
      ['eks', '/costs'],
    ] as const) {
      await follow(page, '/reports');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill(text ?? '');
      const group = { budgets: 'Budgets', inventory: 'Resources', recommendations: 'Recommendations' }[
        href.split('/')[1] ?? ''
      ];
      const options = group
        ? page.getByRole('group', { name: group }).getByRole('option')
        : page.getByRole('option', { name: /Kubernetes/ });
      await options.first().click();
      await expect.poll(() => new URL(page.url()).pathname).toBe(href);
    }
    expect(errorsOf(page)).toEqual([]);
  }, 60_000);

  it('opens a page, an account or a service by name with the keyboard, and goes back', async () => {
    await follow(page, '/budgets');
    await page.getByRole('main').getByRole('link', { name: 'New budget' }).focus();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search' });
    await field.waitFor();
    await page.getByRole('option', { name: 'Azure OpenAI' }).waitFor({ state: 'attached' });
    expect(await axeIssues(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await expect.poll(focused).toBe('New budget');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('azure o');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Costs' }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?service=Azure+OpenAI&group=meter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
    const viewer = await browser.signedIn(world(), await world().someone('viewer', []));
    await viewer.getByRole('button', { name: 'Search…' }).press('Enter');
    await viewer.getByRole('option', { name: 'Tag policies' }).waitFor({ state: 'attached' });
    await settled(viewer);
    const offered = await viewer.getByRole('option').allInnerTexts();
    expect(offered).not.toContain('New budget');
    expect(offered).not.toContain('Audit log');
    // Policies of the whole organization are visible to its members.
    const policy = 'Names of AWS instances and volumes';
    expect(offered.filter((name) => /azure|aws|google/i.test(name) && name !== policy)).toEqual([]);
    expect([...errorsOf(page), ...errorsOf(viewer)]).toEqual([]);
  }, 60_000);

  it('moves the focus into the quick search before the next key can arrive', async () => {
    await follow(page, '/budgets');
    await page.getByRole('main').getByRole('link', { name: 'New budget' }).focus();
    const label = await page.evaluate(async () => {
      const press = { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true };
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', press));
      await Promise.resolve(); // React renders at the end of the event
      return document.activeElement?.getAttribute('aria-label');
    });
    expect(label).toBe('Search');
    await page.keyboard.press('Escape');
  });

  it('keeps the access token out of all browser storage', async () => {
    await settled(page);
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(kept).not.toMatch(/eyJ|token/i);
  });

  it('keeps the chosen theme, and links to GraphiQL and the API', async () => {
    await page.getByRole('button', { name: /: menu$/ }).click();
    for (const [name, href] of [
      ['GraphiQL', '/graphql'],
      ['REST API', '/docs'],
    ] as const)
      await expect.poll(() => page.getByRole('menuitem', { name }).getAttribute('href')).toBe(href);
    await page.getByRole('menuitem', { name: /system/ }).click();
    await page.getByRole('menuitem', { name: /light/ }).click();
    await page.reload();
    await settled(page);
    await expect.poll(() => page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
  });
});
