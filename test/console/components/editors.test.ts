import { screen, waitFor, within } from '@testing-library/dom';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { axeIssues } from './axe.ts';
import { field, fill, follow, main, settled, signIn, useConsole, user } from './console.ts';
import { newOrganizationApi } from './world.ts';

interface Stored {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly rules: readonly { readonly value: string }[];
  readonly widgets: readonly { readonly title: string; readonly w: number }[];
}

const condition = { dimension: 'service', operator: 'in', values: ['EC2'] };
const ruleOf = (value: string) => ({ value, conditions: [condition] });
const widgetOf = (title: string, x = 0) => ({
  query: { group: 'service' },
  chart: 'number',
  title,
  x,
  y: 0,
  w: 6,
  h: 4,
});
const button = (name: string) => screen.getByRole('button', { name });

describe('concurrent editors', () => {
  const api = newOrganizationApi();
  useConsole();
  beforeAll(() => signIn(api()));

  const create = (path: string, body: object) => api().rest<Stored>('POST', path, { body });
  /** The change of a colleague. */
  const change = (path: string, body: object) => api().rest<Stored>('PATCH', path, { body });
  const read = (path: string) => api().rest<Stored>('GET', path);

  /** Checks that the page shows the conflict and can be loaded again, which asks while there is something to lose. */
  async function expectConflict(isUnsaved = true): Promise<void> {
    const alert = await main().findByRole('alert');
    expect(alert.textContent).toContain('was changed after you opened it, so your changes were not saved');
    expect(await axeIssues()).toEqual([]);
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
    await user.click(within(alert).getByRole('button', { name: 'Reload' }));
    expect(reload).toHaveBeenCalledOnce();
    reload.mockRestore();
    expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(!isUnsaved);
  }

  it('keep the rules of a virtual tag that a colleague adds while its description is edited', async () => {
    const { id } = await create('/virtual-tags', { name: 'Team', rules: [ruleOf('web')] });
    const path = `/virtual-tags/${id}`;
    await follow(`/tags/virtual/${id}`);
    await change(path, { rules: ['web', 'data'].map(ruleOf) });
    await fill(field('Description'), 'Owner of each service');
    await user.click(button('Save'));
    await screen.findByRole('table', { name: 'Virtual tags' });
    const { description, rules } = await read(path);
    expect([description, rules.map(({ value }) => value)]).toEqual(['Owner of each service', ['web', 'data']]);
  });

  it('see that a colleague has changed the rules, and keep the form', async () => {
    const { id } = await create('/virtual-tags', { name: 'Area', rules: [ruleOf('web')] });
    const path = `/virtual-tags/${id}`;
    await follow(`/tags/virtual/${id}`);
    await change(path, { rules: ['web', 'data'].map(ruleOf) });
    const value = within(screen.getByRole('group', { name: 'Rule 1' })).getByRole('combobox', {
      name: /^Value( \*)?$/,
    });
    await fill(value, 'shop');
    await user.click(button('Save'));
    await expectConflict();
    expect((value as HTMLInputElement).value).toBe('shop');
    expect((await read(path)).rules.map((rule) => rule.value)).toEqual(['web', 'data']);
  });

  it('keep the rules of a tag policy', async () => {
    const { id } = await create('/tag-policies', { name: 'Teams', rules: [{ key: 'team' }] });
    const path = `/tag-policies/${id}`;
    await follow(`/tags/policies/${id}`);
    await change(path, { rules: [{ key: 'team' }, { key: 'cost_center' }] });
    await fill(field('Name'), 'Owners');
    await user.click(button('Save'));
    await screen.findByRole('table', { name: 'Tag policies' });
    expect(await read(path)).toMatchObject({ name: 'Owners', rules: [{ key: 'team' }, { key: 'cost_center' }] });

    await follow(`/tags/policies/${id}`);
    await change(path, { name: 'Ours' });
    await user.click(button('Add a rule'));
    await fill(within(screen.getByRole('group', { name: 'Rule 3' })).getByRole('combobox', { name: /^Key/ }), 'env');
    await user.click(button('Save'));
    await expectConflict();
  });

  it('keep the widgets of a dashboard', async () => {
    const { id } = await create('/dashboards', { name: 'Monday', widgets: [widgetOf('Left')] });
    const path = `/dashboards/${id}`;
    await follow(path);
    await user.click(button('Edit layout'));
    await change(path, { widgets: [widgetOf('Left'), widgetOf('Right', 6)] });
    await user.click(button('Actions for Left'));
    await user.click(await screen.findByRole('menuitem', { name: 'Narrower' }));
    await user.click(button('Save layout'));
    await expectConflict();
    expect(button('Save layout')).toBeTruthy();
    expect((await read(path)).widgets).toMatchObject([{ title: 'Left', w: 6 }, { title: 'Right' }]);
  });

  it('add a widget to a dashboard that a colleague changes at the same time', async () => {
    const { id } = await create('/dashboards', { name: 'A wall' });
    const path = `/dashboards/${id}`;
    await follow('/costs');
    await user.click(button('Use this view'));
    await user.click(await screen.findByRole('menuitem', { name: 'Add to dashboard' }));
    const dialog = await screen.findByRole('dialog', { name: 'Add to dashboard' });
    expect(field('Dashboard', dialog).value).toBe('A wall');
    await fill(field('Title', dialog), 'Mine');
    const send = fetch;
    const sending = vi.spyOn(globalThis, 'fetch').mockImplementation(async (resource, init) => {
      const isSave = resource === '/graphql' && String(init?.body).includes('updateDashboard');
      if (isSave && (await read(path)).widgets.length === 0) await change(path, { widgets: [widgetOf('Theirs')] });
      return send(resource, init);
    });
    await user.click(within(dialog).getByRole('button', { name: 'Add to dashboard' }));
    await screen.findByRole('heading', { level: 1, name: 'A wall' });
    await settled();
    sending.mockRestore();
    await waitFor(async () => expect((await read(path)).widgets.map(({ title }) => title)).toEqual(['Theirs', 'Mine']));
  });
});
