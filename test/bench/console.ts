import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium, type CDPSession, type Page } from 'playwright-core';
import { addDays, dayOf } from '../../src/kit/time/period.ts';
import { aLine, writeFocus } from '../support/focus.ts';
import { printTable } from './measure.ts';
import { load, rest, start } from './server.ts';

const executablePath = '/usr/bin/chromium';
const rounds = 5;
const slowdown = 4;
const tagValues = 20_000;
const steps = 40;
const person = { email: 'console@costkeep.example', password: 'measure twice, cut once', name: 'Bench' };

/** Measures the console in a browser: script of the first load, CPU until the overview is shown on a slow machine, and
 *  a scroll step over 20,000 rows as a ratio to one over 20. */
export async function measureConsole(serve: readonly string[], env: Record<string, string>): Promise<void> {
  if (!existsSync(executablePath)) return console.log(`\nConsole: not measured, ${executablePath} is not installed`);
  await writeBill(path.join(env['FOCUS_ROOT'] ?? '', 'console', 'bill.csv.gz'));
  const server = await start(serve, env, '/ready');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const { access_token: token } = await rest<{ access_token: string }>(server, 'POST /auth/register', null, {
      ...person,
      organization_name: 'Bench',
    });
    await load(server, token, 'console');
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await signIn(page, server.url);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await measureOverview(page, session, server.url);
    await measureRows(page, session, server.url);
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Two months of twenty services per day, and one day with 20,000 charges of different tag values. */
async function writeBill(file: string): Promise<void> {
  const today = dayOf(new Date());
  const daily = Array.from({ length: 60 * 20 }, (_, index) =>
    aLine({
      day: addDays(today, -1 - Math.floor(index / 20)),
      ServiceName: `Service ${index % 20}`,
      cost: `${10 + (index % 20)}.25`,
    }),
  );
  const tagged = Array.from({ length: tagValues }, (_, index) =>
    aLine({ day: addDays(today, -2), cost: `0.${String(index + 1)}`, Tags: JSON.stringify({ job: `job-${index}` }) }),
  );
  await writeFocus(file, [...daily, ...tagged]);
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.locator('#main').waitFor();
}

/** CPU seconds of the page's main thread so far. */
async function cpuOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
}

/** Chromium throttles a page by keeping its main thread busy, so the CPU time of a throttled round includes the
 *  throttling. */
async function measureOverview(page: Page, session: CDPSession, url: string): Promise<void> {
  const plain = await openings(page, session, { url, rate: 1 });
  const slowed = await openings(page, session, { url, rate: slowdown });
  const kilobytes = await page.evaluate(() => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const scripts = entries.filter(({ name }) => name.endsWith('.js'));
    return scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000;
  });
  const slow = `, ${slowdown} times slower`;
  printTable('Console: first load until the overview is shown', [
    { what: `median of ${rounds}`, 'script kB': kilobytes, 'CPU s': plain, [`CPU s${slow}`]: slowed },
  ]);
}

/** Median CPU seconds to open the overview. */
async function openings(
  page: Page,
  session: CDPSession,
  { url, rate }: { url: string; rate: number },
): Promise<number> {
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await page.goto('about:blank');
    await session.send('Emulation.setCPUThrottlingRate', { rate });
    const before = await cpuOf(session);
    await page.goto(`${url}/`);
    await page.getByRole('table').first().waitFor();
    seconds.push((await cpuOf(session)) - before);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  }
  return median(seconds);
}

async function measureRows(page: Page, session: CDPSession, url: string): Promise<void> {
  const few = await wheel(page, session, `${url}/costs?group=service`);
  const many = await wheel(page, session, `${url}/costs?group=tag&tagKey=job`);
  printTable(`Console: ${steps} wheel steps over a table`, [
    { rows: '20', ...few, ratio: 1 },
    { rows: tagValues.toLocaleString('en-US'), ...many, ratio: many['CPU ms per step'] / few['CPU ms per step'] },
  ]);
}

async function wheel(page: Page, session: CDPSession, address: string) {
  await page.addInitScript(() => {
    const longest = { ms: 0 };
    Object.assign(globalThis, { longest });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest.ms = Math.max(longest.ms, duration);
    }).observe({ type: 'longtask', buffered: true });
  });
  await page.goto(address);
  await page.locator('table tbody tr').first().waitFor();
  await page.mouse.move(700, 600);
  const longestTask = await page.evaluate(() => (globalThis as unknown as { longest: { ms: number } }).longest.ms);
  const before = await cpuOf(session);
  for (let step = 0; step < steps; step += 1) {
    await page.mouse.wheel(0, 120);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(null))));
  }
  return {
    'CPU ms per step': (((await cpuOf(session)) - before) / steps) * 1000,
    'longest task ms, arriving': longestTask,
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
