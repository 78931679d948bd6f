import fs from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { worldOfFile } from '../support/world.ts';

const executablePath = '/usr/bin/chromium';
const at = worldOfFile();
let browser: Browser;

describe.skipIf(!fs.existsSync(executablePath))(`pages in a browser (needs ${executablePath})`, () => {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    return () => browser.close();
  });

  it(
    'shows an operation in /docs with curl and test request, and loads nothing from other origins',
    { timeout: 120_000 },
    async () => {
      const { page, troubles } = await open('/docs#tag/organization/GET/org');
      await page
        .getByRole('button', { name: /Search/ })
        .first()
        .waitFor();
      await page
        .getByRole('button', { name: /Test Request/ })
        .first()
        .waitFor();
      expect(await page.locator('#reference').innerText()).toContain('curl');
      expect(troubles).toEqual([]);
    },
  );

  it('finds an operation in /docs and sends a request to this server', { timeout: 120_000 }, async () => {
    const { page, troubles } = await open('/docs#tag/service/GET/docs');
    await page
      .getByRole('button', { name: /Search/ })
      .first()
      .click();
    await page.keyboard.type('exchange rates');
    await page.getByText('/org/exchange-rates').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Test Request.*\/docs/ }).click();
    await page.getByRole('button', { name: /Send/ }).first().click();
    await page.getByText('200 OK').first().waitFor();
    expect(troubles).toEqual([]);
  });

  it('shows curl examples in /docs with the required parameters only', { timeout: 120_000 }, async () => {
    const { page, troubles } = await open('/docs#tag/costs/GET/costs/by-tag');
    const example = page.getByText(/^curl .*\/costs\/by-tag/);
    await example.first().waitFor();
    expect(await example.first().innerText()).toContain(`'${at().url}/api/v1/costs/by-tag?tag_key=team' \\`);
    expect(troubles).toEqual([]);
  });

  it('fits /docs on a phone', { timeout: 120_000 }, async () => {
    const { page, troubles } = await open('/docs#tag/costs/GET/costs/by-service', { width: 390, height: 844 });
    await page.getByRole('heading', { name: 'Returns spend by service and provider' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(troubles).toEqual([]);
  });

  it('runs an example in GraphiQL with the token of its field, and loads nothing from other origins', async () => {
    const { token } = await at().register();
    const { page, troubles } = await openGraphiql();
    await page.getByLabel('Access token').fill(token);
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByText('at a glance').waitFor();
    const bearers = new Set<string | undefined>();
    page.on('request', (sent) => {
      if (sent.postData()?.includes('query Overview')) bearers.add(sent.headers()['authorization']);
    });
    await execute(page, 'totalCost');
    expect([...bearers]).toEqual([`Bearer ${token}`]);
    expect(troubles).toEqual([]);
  });

  it("signs in with GraphiQL's first example, and keeps tabs but no token across reloads", async () => {
    const { email, password, token } = await at().register({ email: 'robin@example.com', organization_name: 'Kite' });
    const { page, troubles } = await openGraphiql();
    await page.getByText('your password').click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(JSON.stringify({ email, password }).replace('"}', '')); // the editor adds the closing quotes and braces
    await execute(page, 'accessToken');
    await page.getByText('Sent as Authorization: Bearer').waitFor();
    const received = await page.getByLabel('Access token').inputValue();
    expect(received).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(received).not.toBe(token);
    await page.getByRole('tab', { name: 'Trend' }).click();
    await page.waitForFunction(() => localStorage['graphiql:tabState'].includes('"activeTabIndex":2')); // stored with a delay
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(kept).toContain('robin@example.com');
    expect(kept).not.toContain(password);
    expect(kept).not.toContain(received);
    await page.reload();
    await page.getByRole('tab', { name: 'Trend', selected: true }).waitFor();
    expect(await page.getByRole('tab').count()).toBe(7);
    expect(await page.getByLabel('Access token').inputValue()).toBe('');
    expect(troubles).toEqual([]);
  });
});

async function openGraphiql() {
  const opened = await open('/graphql');
  await opened.page.getByRole('tab', { name: 'Login', selected: true }).waitFor();
  return opened;
}

/** Runs the query of the open tab. Retries, because a click before GraphiQL has parsed the query has no effect. */
async function execute(page: Page, expected: string): Promise<void> {
  await vi.waitFor(
    async () => {
      await page.getByRole('button', { name: 'Execute query' }).click({ timeout: 1000 });
      await page.locator('.graphiql-response').getByText(expected).waitFor({ timeout: 2000 });
    },
    { timeout: 15_000 },
  );
}

/** Opens a page of the server in a new browser context. `troubles` collects problems that a visitor would not notice: console
 *  errors and warnings, CSP violations, failed requests and requests to other origins. */
async function open(
  path: string,
  viewport = { width: 1440, height: 900 },
): Promise<{ page: Page; troubles: string[] }> {
  const context = await browser.newContext({ viewport });
  context.setDefaultTimeout(30_000);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(message.text());
  });
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== at().url)
      troubles.push(request.url());
  });
  // The console does not report violations caught by a script.
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      reportError(new Error(`policy: ${violatedDirective} ${blockedURI}`)),
    ),
  );
  await page.goto(at().url + path);
  return { page, troubles };
}
