import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Response } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { describeInBrowser, errorsOf, follow, useBrowser } from './browser.ts';
import { demoWorld } from './world.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-operations-'));
const file = path.join(folder, 'operations.json');
fs.writeFileSync(file, '{}');
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Paths of the pages that are about no single record. */
function paths(): string[] {
  const source = fs.readFileSync(new URL('../../src/console/routes.tsx', import.meta.url), 'utf8');
  return [...source.matchAll(/path: '([^':]+)'/g)].map((match) => match[1] ?? '');
}

describeInBrowser('the console', () => {
  const world = demoWorld({ PERSISTED_OPERATIONS: file });
  const browser = useBrowser();

  test('works where only listed GraphQL operations run', async () => {
    const page = await browser.signedIn(world());
    const answers: Response[] = [];
    page.on('response', (response) => {
      if (new URL(response.url()).pathname === '/graphql') answers.push(response);
    });
    for (const each of paths()) await follow(page, each);
    await follow(page, '/settings/organization');
    await page.getByRole('textbox', { name: 'Name' }).fill('Brightwater & Sons');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Brightwater & Sons/ }).waitFor();
    expect(answers.length).toBeGreaterThan(20);
    expect(answers.filter((answer) => !answer.ok()).map((answer) => answer.request().postData())).toEqual([]);
    expect(errorsOf(page)).toEqual([]);
    await expect(world().gql('{ me { role } }')).rejects.toThrow(/is not in this server’s list of operations/);
  }, 120_000);
});
