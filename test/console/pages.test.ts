import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { contrastIssues, seriousIssues } from './axe.ts';
import { describeInBrowser, errorsOf, follow, settled, useBrowser, visit } from './browser.ts';
import { pathsFor, signedOutPaths } from './paths.ts';
import { demoWorld } from './world.ts';

/** What is wrong with a page in light, in dark and on a phone; empty when nothing is. */
async function faultsOf(page: Page): Promise<string[]> {
  const headings = await page.getByRole('heading', { level: 1 }).count();
  const light = await seriousIssues(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  // Colours that are on their way are nobody's.
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
  const dark = await contrastIssues(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await settled(page);
  const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
  return [
    ...(headings === 1 ? [] : [`${headings} headings of the first level`]),
    ...light,
    ...dark.map((issue) => `dark: ${issue}`),
    ...(isTooWide ? ['scrolls sideways on a phone'] : []),
    ...errorsOf(page),
  ];
}

describeInBrowser('every page', () => {
  const world = demoWorld();
  const browser = useBrowser();

  test('of the routes is among those that are looked at', async () => {
    const source = readFileSync(new URL('../../src/console/routes.tsx', import.meta.url), 'utf8');
    const patterns = [...source.matchAll(/path: '([^']+)'/g)].map((match) => match[1]);
    expect(Object.keys(await pathsFor(world()))).toEqual(patterns);
  });

  test('has no serious issue of accessibility in light or dark, one first heading, and fits a phone', async () => {
    const page = await browser.signedIn(world());
    const faults: Record<string, string[]> = {};
    for (const path of Object.values(await pathsFor(world()))) {
      await follow(page, path);
      const found = await faultsOf(page);
      if (found.length > 0) faults[path] = found;
    }
    expect(faults).toEqual({});
  }, 240_000);

  test('before the login is as good', async () => {
    const page = await (await browser.window()).newPage();
    await page.goto(world().url);
    const faults: Record<string, string[]> = {};
    for (const path of signedOutPaths) {
      await visit(page, path);
      const found = await faultsOf(page);
      if (found.length > 0) faults[path] = found;
    }
    expect(faults).toEqual({});
  }, 60_000);

  test('that is not there says so', async () => {
    const page = await browser.signedIn(world());
    for (const path of ['/nothing-here', '/budgets/00000000-0000-4000-8000-000000000000']) {
      await visit(page, path);
      expect(await page.getByRole('main').innerText()).toMatch(/not found|no page/i);
    }
  });
});
