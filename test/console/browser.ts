import fs from 'node:fs';
import type { BrowserContext, Locator, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeEach, describe, expect, vi } from 'vitest';
import type { ConsoleWorld, Person } from './world.ts';
import { hasBrowser, inWorker, type Windows } from './worker.ts';

export { amount } from './figures.ts';

/** Tests that drive a browser; reported as skipped if Debian's Chromium is not installed. */
export const describeInBrowser = hasBrowser ? describe : describe.skip;

/** A browser for all tests of a `describe`. */
export interface TestBrowser {
  /** Opens a signed-out window that shares nothing with others. It closes at the end of the test, or of the `describe`, that opens it. */
  window(): Promise<BrowserContext>;
  /** Opens a window with a signed-in user, on the profile page, which needs few requests. */
  signedIn(world: ConsoleWorld, person?: Person): Promise<Page>;
}

/** Provides the tests of a `describe` with windows of the worker's browser. */
export function useBrowser(): TestBrowser {
  let windows: Windows | undefined;
  const ofAll: BrowserContext[] = [];
  const ofTest: BrowserContext[] = [];
  let open = ofAll;
  inWorker.beforeAll(({ windows: shared }) => {
    windows = shared;
  }, 60_000);
  const close = async (contexts: BrowserContext[]) => {
    for (const context of contexts.splice(0)) {
      context.off('page', watch);
      await windows?.giveBack(context);
    }
  };
  beforeEach(() => {
    open = ofTest;
  });
  afterEach(() => {
    open = ofAll;
    return close(ofTest);
  });
  afterAll(() => close(ofAll));
  const window: TestBrowser['window'] = async () => {
    if (!windows) throw new Error('The browser is not open yet; use it in a test');
    const context = await windows.take();
    open.push(context);
    context.on('page', watch);
    return context;
  };
  const signedIn: TestBrowser['signedIn'] = async (world, person = world.admin) => {
    const context = await window();
    // The response's cookie is stored in the browser. The form has separate tests.
    await context.request.post(`${world.url}/api/v1/auth/login`, { data: person, failOnStatusCode: true });
    const page = await context.newPage();
    await page.goto(`${world.url}/scheme.js`);
    await page.evaluate(() => localStorage.setItem('costkeep.signed-in', 'true'));
    await page.goto(`${world.url}/settings`);
    await page.locator('#main').waitFor();
    return page;
  };
  return { window, signedIn };
}

/** Fills in and submits the login form. */
export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

interface Watched {
  /** Pending requests. */
  readonly open: Set<Request>;
  /** Exceptions of the page, and errors in its console. */
  readonly errors: string[];
}

const watched = new WeakMap<Page, Watched>();

function watch(page: Page): void {
  const open = new Set<Request>();
  const errors: string[] = [];
  watched.set(page, { open, errors });
  let loading: Request | null = null;
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loading = request;
    open.add(request);
  });
  // Pending requests of the previous page report no end.
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || !loading) return;
    for (const request of open) if (request !== loading) open.delete(request);
    loading = null;
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    // The browser logs each response with a status above 399, which many tests cause on purpose.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) errors.push(`${page.url()}: ${message.text()}`);
  });
}

/** Returns the exceptions and console errors of the pages so far: all are defects. */
export function errorsOf(page: Page): readonly string[] {
  return watched.get(page)?.errors ?? [];
}

/** Waits until the page has all responses, and has rendered them. */
export async function settled(page: Page): Promise<void> {
  const isIdle = async () => {
    expect([...(watched.get(page)?.open ?? [])].map((request) => request.url())).toEqual([]);
    expect(await page.locator('[aria-busy="true"]').count()).toBe(0);
  };
  // Rendering an answer can start further requests.
  const render = () =>
    page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))),
    );
  const check = async () => {
    await isIdle();
    await render();
    await isIdle();
  };
  await vi.waitFor(check, { timeout: 45_000, interval: 40 });
}

/** Opens a path of the console and waits until it is complete. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href);
  await settled(page);
}

/** Opens a path without reloading the console, as a link does. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await settled(page);
}

/** Enters a number. A number field that takes the focus moves its caret in a timer, which can run between the selection and the
 *  input of `fill`: the new digits are then added to the old ones. */
export async function fillNumber(field: Locator, digits: string): Promise<void> {
  await field.focus();
  await expect
    .poll(async () => {
      await field.fill(digits);
      return (await field.inputValue()).replaceAll(/[^\d.]/g, '');
    })
    .toBe(digits);
}

/** Returns the text of a table's body cells, by row. */
export async function rowsOf(table: Locator): Promise<string[][]> {
  return table
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent?.trim() ?? '')));
}

/** Saves the CSV of the page and reads its lines, the header first. */
export async function csvOf(page: Page): Promise<string[]> {
  const saved = page.waitForEvent('download');
  await page.getByRole('main').getByRole('button', { name: 'CSV' }).click();
  const text = fs.readFileSync(await (await saved).path(), 'utf8');
  return text.trim().split('\r\n');
}
