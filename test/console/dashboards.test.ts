import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { axeIssues, landmarkIssues } from './axe.ts';
import { describeInBrowser, errorsOf, follow, settled, useBrowser, visit } from './browser.ts';
import { demoWorld } from './world.ts';

const place = { x: 0, y: 0, w: 6, h: 4 };

describeInBrowser('views and dashboards', () => {
  const world = demoWorld();
  const browser = useBrowser();
  let page: Page;
  beforeAll(async () => {
    page = await browser.signedIn(world());
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
  const create = (path: string, body: object) => world().rest<{ id: string }>('POST', path, { body });

  const boxOf = async (widget: string) => {
    const box = await page.getByRole('region', { name: widget }).boundingBox();
    if (!box) throw new Error(`Widget ${widget} is not shown`);
    return box;
  };
  /** Roles of the boxes of a widget whose content is larger than they are; empty for those without a role. */
  const hiddenIn = (widget: string) =>
    page
      .getByRole('region', { name: widget })
      .locator(':scope > :last-child, [aria-busy], [role="group"]')
      .evaluateAll((boxes) =>
        boxes
          .filter((box) => box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth)
          .map((box) => box.getAttribute('role') ?? ''),
      );

  it('are saved in the explorer, changed, and added to a new dashboard', async () => {
    await follow(page, '/costs?group=region&provider=aws');
    await settled(page);
    await button('Save view').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('AWS by region');
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await button('Views: AWS by region').waitFor();
    expect(await page.evaluate(() => location.search)).toMatch(/^\?group=region&provider=aws&saved=[\w-]+$/);

    await page.getByText('Monthly', { exact: true }).click();
    await button('Views: AWS by region').click();
    await item('Update with the current filters').waitFor();
    expect(await landmarkIssues(page)).toEqual([]);
    await item('Update with the current filters').click();
    await page.getByText('View AWS by region saved').last().waitFor();

    await button('Use this view').click();
    await item('Add to dashboard').click();
    await dialog.getByLabel('Dashboard', { exact: true }).click();
    await page.getByRole('option', { name: 'New dashboard' }).click();
    await dialog.getByLabel('Dashboard name').fill('Regions');
    await dialog.getByRole('button', { name: 'Add to dashboard' }).click();
    await page.getByRole('heading', { level: 1, name: 'Regions' }).waitFor();
    await page.getByRole('group', { name: /^AWS by region, .* in total$/ }).waitFor();
    expect(await axeIssues(page)).toEqual([]);
    expect(errorsOf(page)).toEqual([]);
  });

  it('fit their charts to paper, without skip links', async () => {
    const widgets = [{ query: { group: 'service' }, chart: 'bar', ...place }];
    const { id } = await create('/dashboards', { name: 'Printed', widgets });
    await follow(page, `/dashboards/${id}`);
    await settled(page);
    await page.emulateMedia({ media: 'print' });
    const chart = page.getByRole('main').locator('svg[viewBox][focusable="false"]').first();
    const [width, height] = await Promise.all(['width', 'height'].map((name) => chart.getAttribute(name)));
    expect(await chart.getAttribute('viewBox')).toBe(`0 0 ${width} ${height}`);
    // The browser does not draw again for paper.
    const shrunk = await chart.evaluate((svg) => {
      const frame = svg.parentElement;
      if (frame) frame.style.width = '300px';
      return svg.getBoundingClientRect().width;
    });
    expect(shrunk).toBe(300);
    expect(await page.getByRole('link', { name: /^Skip to/ }).count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
  });

  it('print in light colours, with those of the legend and whole widgets, also from the dark scheme', async () => {
    const widgets = [{ query: { group: 'service' }, chart: 'table', ...place, h: 2 }];
    const { id } = await create('/dashboards', { name: 'Dark', widgets });
    await follow(page, `/dashboards/${id}`);
    await settled(page);
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
    const setDark = () => document.documentElement.setAttribute('data-mantine-color-scheme', 'dark');
    await page.evaluate(setDark);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    expect(await scheme()).toBe('light');
    const body = page.getByRole('main').locator('section > :last-child').first();
    expect(await body.evaluate((box) => getComputedStyle(box).printColorAdjust)).toBe('exact');
    expect(await body.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await scheme()).toBe('dark');
    await page.evaluate(() => document.documentElement.setAttribute('data-mantine-color-scheme', 'light'));
  });

  it('print small widgets whole, two beside each other', async () => {
    const small = { query: { group: 'service' }, ...place, w: 4 };
    const widgets = [
      { ...small, chart: 'table', query: { group: 'provider' }, title: 'First' },
      { ...small, chart: 'bar', x: 4, title: 'Second' },
      { ...small, chart: 'table', x: 8, title: 'Long' },
    ];
    const { id } = await create('/dashboards', { name: 'Small', widgets });
    await follow(page, `/dashboards/${id}`);
    await settled(page);
    const screen = page.viewportSize();
    await page.emulateMedia({ media: 'print' });
    // A4 with the margins of the browser.
    await page.setViewportSize({ width: 718, height: 1046 });
    const first = await boxOf('First');
    const second = await boxOf('Second');
    expect(second.y).toBe(first.y);
    expect(second.x).toBeGreaterThan(first.x + first.width);
    expect((await boxOf('Long')).width).toBeCloseTo(second.x + second.width - first.x, 0);
    for (const name of ['First', 'Second', 'Long']) expect(await hiddenIn(name)).toEqual([]);
    await page.emulateMedia({ media: 'screen' });
    if (screen) await page.setViewportSize(screen);
  });

  it('scroll tables in one place', async () => {
    const widgets = [{ query: { group: 'service' }, chart: 'table', ...place, w: 4, title: 'Scrolled' }];
    const { id } = await create('/dashboards', { name: 'Scroll', widgets });
    await follow(page, `/dashboards/${id}`);
    await settled(page);
    expect(await hiddenIn('Scrolled')).toEqual(['group']);
  });

  it('truncate a long title of a widget beside its link', async () => {
    const title = 'Commitment-coverage-of-everything-that-runs-in-production-without-a-break';
    const widgets = [{ query: { group: 'service' }, chart: 'table', ...place, w: 4, title }];
    const { id } = await create('/dashboards', { name: 'Long', widgets });
    await follow(page, `/dashboards/${id}`);
    await settled(page);
    const heading = page.getByRole('heading', { level: 2, name: title });
    expect(await heading.getAttribute('title')).toBe(title);
    const link = await page.getByRole('link', { name: 'Open in Costs' }).boundingBox();
    const text = await heading.boundingBox();
    const card = await page.getByRole('region', { name: title }).boundingBox();
    expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThanOrEqual(link?.x ?? 0);
    expect((link?.x ?? 0) + (link?.width ?? 0)).toBeLessThanOrEqual((card?.x ?? 0) + (card?.width ?? 0));
    expect(errorsOf(page)).toEqual([]);
  });

  it('fill widgets with their charts', async () => {
    const widgets = [{ query: { group: 'provider' }, chart: 'bar', ...place, title: 'Clouds' }];
    const { id } = await create('/dashboards', { name: 'Charts', widgets });
    await follow(page, `/dashboards/${id}`);
    await settled(page);
    const bottomOf = async (at: Locator) => {
      const box = await at.boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0);
    };
    const card = page.getByRole('region', { name: 'Clouds' });
    // The padding, and room for dates below a title instead of beside it.
    const room = async () => (await bottomOf(card)) - (await bottomOf(card.getByText('Azure', { exact: true })));
    await expect.poll(room).toBeLessThan(40);
    expect(await room()).toBeGreaterThan(10);
  });

  it('move and resize widgets by mouse and by keyboard', async () => {
    const widget = { query: { group: 'service' }, chart: 'table', ...place };
    const { id } = await create('/dashboards', {
      name: 'Layout',
      widgets: [
        { ...widget, title: 'Left' },
        { ...widget, title: 'Right', x: 6 },
      ],
    });
    await follow(page, `/dashboards/${id}`);
    await settled(page);
    await button('Edit layout').click();
    const grip = button('Move Left with the arrow keys');
    const from = await grip.boundingBox();
    await grip.hover();
    await page.mouse.down();
    await page.mouse.move((from?.x ?? 0) + 500, (from?.y ?? 0) + 20, { steps: 8 });
    await page.mouse.up();
    await button('Resize Left with the arrow keys').press('ArrowDown');
    await button('Actions for Right').click();
    await item('Narrower').click();
    await button('Save layout').click();
    await page.getByText('Dashboard Layout saved').waitFor();
    const { widgets } = await world().rest<{ widgets: { title: string; x: number; w: number; h: number }[] }>(
      'GET',
      `/dashboards/${id}`,
    );
    expect(widgets).toMatchObject([
      { title: 'Left', w: 6, h: 5 },
      { title: 'Right', x: 6, w: 5, h: 4 },
    ]);
    expect(widgets[0]?.x).toBeGreaterThan(3);
    expect(await axeIssues(page)).toEqual([]);
  });

  it('are named before their view is deleted, then say that it is gone, and offer to remove the widget', async () => {
    const view = await create('/views', { name: 'Short-lived', page: 'costs' });
    const { id } = await create('/dashboards', {
      name: 'Empty soon',
      widgets: [{ view_id: view.id, chart: 'bar', ...place }],
    });
    await follow(page, `/costs?saved=${view.id}`);
    await button('Views: Short-lived').click();
    await item('Delete view').click();
    const dialog = page.getByRole('dialog', { name: 'Delete this view?' });
    await dialog.getByText('keep an empty widget: “Empty soon”.').waitFor();
    await dialog.getByRole('button', { name: 'Delete view' }).click();
    await dialog.waitFor({ state: 'detached' });
    await follow(page, `/dashboards/${id}`);
    await page.getByText('The saved view of this widget was deleted or is not shared with you.').waitFor();
    await button('Remove').click();
    await page.getByText('No widgets yet').waitFor();
    await follow(page, `/costs?saved=${view.id}`);
    await page.getByText('View deleted or not shared with you.').waitFor();
    await button('Dismiss').click();
    await expect.poll(() => page.evaluate(() => location.search)).toBe('');
  });

  it('can be the start page, which is the overview again once they are deleted', async () => {
    const { id } = await create('/dashboards', { name: 'Mine first' });
    await follow(page, `/dashboards/${id}`);
    await button('Dashboard: Mine first').click();
    await item('Set as my start page').click();
    await follow(page, '/');
    await page.getByRole('heading', { level: 1, name: 'Mine first' }).waitFor();
    await world().rest('DELETE', `/dashboards/${id}`);
    await visit(page, '/');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await follow(page, `/dashboards/${id}`);
    await page.getByText('Dashboard not available').waitFor();
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await follow(page, '/costs');
    await follow(page, '/');
    await expect.poll(() => page.locator('h1').innerText()).toBe('Overview');
  });

  it('are the default of the organization for members without a choice', async () => {
    const { id } = await create('/dashboards', { name: 'Ours first', visibility: 'organization' });
    await follow(page, `/dashboards/${id}`);
    await button('Dashboard: Ours first').click();
    await item('Set as the organization’s start page').click();
    await page.getByText('Ours first is the organization’s start page').waitFor();
    await follow(page, '/');
    await page.getByRole('heading', { level: 1, name: 'Ours first' }).waitFor();

    await follow(page, '/?dashboard=overview');
    await button('Dashboard: Overview').click();
    await item('Set as my start page').click();
    await page.getByText('Overview is your start page').waitFor();
    await follow(page, '/costs');
    await follow(page, '/');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await button('Dashboard: Overview').click();
    await item('Use the organization’s start page').click();
    await page.getByRole('heading', { level: 1, name: 'Ours first' }).waitFor();
    await world().rest('PATCH', '/dashboards/default', { body: { own: null, organization: null } });
    expect(errorsOf(page)).toEqual([]);
  });

  it('fill in the forms of budgets, alert rules and schedules from a view', async () => {
    const view = encodeURIComponent('provider=aws&exclude_region=eu-west-1&group=account');
    await follow(page, `/budgets/new?costs=${view}`);
    await page.getByText('A budget cannot use these parts of the view: excluded region.').waitFor();
    expect(await page.getByRole('combobox', { name: 'Provider' }).inputValue()).toBe('AWS');
    await follow(page, `/alert-rules/new?costs=${view}`);
    await page.getByText('A rule cannot use these parts').waitFor();
    await follow(page, `/reports/schedules?costs=${view}`);
    const dialog = page.getByRole('dialog', { name: 'New schedule' });
    await dialog.getByText('A report cannot use these parts').waitFor();
    expect(await dialog.getByRole('combobox', { name: 'Type' }).inputValue()).toBe('Cost by account');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.evaluate(() => location.search)).toBe('');
  });
});
