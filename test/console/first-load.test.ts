import { expect, it } from 'vitest';
import { describeInBrowser, useBrowser, visit } from './browser.ts';
import { demoWorld } from './world.ts';

/** Limit of the scripts, styles and fonts that the first page of a visit loads, in bytes. */
const most = 300_000;

describeInBrowser('the first page of a visit', () => {
  const world = demoWorld();
  const browser = useBrowser();

  it.each(['/', '/costs'])('%s transfers less than 300 kB of scripts, styles and fonts', async (path) => {
    const page = await browser.signedIn(world());
    await visit(page, path);
    // The compressed sizes, even of files in the browser's cache.
    const sizes = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .filter(({ name }) => /^\/assets\/.*\.(js|css|woff2)$/.test(new URL(name).pathname))
        .map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize] as const),
    );
    expect(sizes.map(([name]) => name)).toContainEqual(expect.stringMatching(/inter-latin-.*\.woff2$/));
    expect(sizes.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(most);
  });
});
