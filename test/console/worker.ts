import fs from 'node:fs';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { test } from 'vitest';
import { demoData, emptyData } from './data.ts';
import { startServer } from './server.ts';

/** Path of Debian's Chromium. */
const executablePath = '/usr/bin/chromium';

/** Whether tests can drive a browser here. */
export const hasBrowser = fs.existsSync(executablePath);

/** Windows of one browser, which are reused: a new one would fetch and compile the whole console, which takes four times as
 *  long as loading it from the caches of a used one. */
export interface Windows {
  /** A window without pages, cookies or storage, in the light scheme, 1280 pixels wide. */
  take(): Promise<BrowserContext>;
  /** Returns a window for reuse and closes its pages. */
  giveBack(context: BrowserContext): Promise<void>;
}

/** Shared resources that are slow to start: each is opened by the first file of a worker that needs it, and closed with the
 *  worker. */
export const inWorker = test
  .extend('windows', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    onCleanup(() => browser.close());
    return windowsOf(browser);
  })
  .extend('demoServer', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const server = await startServer(await demoData());
    onCleanup(() => server.stop());
    return server;
  })
  .extend('emptyServer', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const server = await startServer(await emptyData());
    onCleanup(() => server.stop());
    return server;
  });

function windowsOf(browser: Browser): Windows {
  const idle: BrowserContext[] = [];
  const open = async () => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      colorScheme: 'light',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(30_000);
    return context;
  };
  return {
    take: async () => idle.pop() ?? open(),
    async giveBack(context) {
      await context.setOffline(false);
      for (const page of context.pages()) {
        await page.evaluate(() => localStorage.clear()).catch(() => null); // where there is none, as on about:blank
        await page.close();
      }
      await context.clearCookies();
      idle.push(context);
    },
  };
}
