import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page, Response } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeIssues, contrastIssues } from './axe.ts';
import { describeInBrowser, errorsOf, follow, settled, useBrowser, visit } from './browser.ts';
import { pathsFor, signedOutPaths } from './paths.ts';
import { smallTargets } from './targets.ts';
import { ownDemoWorld } from './world.ts';

/** An empty list: the server accepts only the operations of its own console. */
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-operations-'));
const operations = path.join(folder, 'operations.json');
fs.writeFileSync(operations, '{}');
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Returns the problems of a page in light, in dark and on a phone. */
async function faultsOf(page: Page): Promise<string[]> {
  const headings = await page.getByRole('heading', { level: 1 }).count();
  const light = [...(await axeIssues(page)), ...(await smallTargets(page))];
  await page.emulateMedia({ colorScheme: 'dark' });
  // Colours in transition are not final.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  const dark = await contrastIssues(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await settled(page);
  const phone = await smallTargets(page);
  const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
  return [
    ...(headings === 1 ? [] : [`${headings} headings of the first level`]),
    ...light,
    ...dark.map((issue) => `dark: ${issue}`),
    ...phone.map((issue) => `phone: ${issue}`),
    ...(isTooWide ? ['scrolls sideways on a phone'] : []),
    ...errorsOf(page),
  ];
}

describeInBrowser('every page', () => {
  const world = ownDemoWorld({ PERSISTED_OPERATIONS: operations });
  const browser = useBrowser();
  let page: Page;
  const answers: Response[] = [];
  beforeAll(async () => {
    page = await browser.signedIn(world());
    page.on('response', (response) => {
      if (new URL(response.url()).pathname === '/graphql') answers.push(response);
    });
  });

  it('has no accessibility issue in light or dark, targets of 24 px and one first-level heading, and fits a phone', async () => {
    const faults: Record<string, string[]> = {};
    for (const each of Object.values(await pathsFor(world()))) {
      await follow(page, each);
      const found = await faultsOf(page);
      if (found.length > 0) faults[each] = found;
    }
    expect(faults).toEqual({});
  }, 240_000);

  it('works with persisted operations only', async () => {
    await follow(page, '/settings/organization');
    await page.getByRole('textbox', { name: 'Name' }).fill('Brightwater & Sons');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Brightwater & Sons/ }).waitFor();
    // Includes the errors of the previous test, which visited every page.
    expect(answers.length).toBeGreaterThan(60);
    expect(answers.filter((answer) => !answer.ok()).map((answer) => answer.request().postData())).toEqual([]);
    expect(errorsOf(page)).toEqual([]);
    await expect(world().gql('{ me { role } }')).rejects.toThrow(/is not in this server’s list of operations/);
  });

  it('is equally accessible before login', async () => {
    const stranger = await (await browser.window()).newPage();
    await stranger.goto(world().url);
    const faults: Record<string, string[]> = {};
    for (const each of signedOutPaths) {
      await visit(stranger, each);
      const found = await faultsOf(stranger);
      if (found.length > 0) faults[each] = found;
    }
    expect(faults).toEqual({});
  }, 60_000);
});
