import { screen, within } from '@testing-library/dom';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { routes } from '../../../src/console/routes.tsx';
import type { ConsoleApi } from '../client.ts';
import type { Person } from '../data.ts';
import { pathsFor } from '../paths.ts';
import { follow, main, mainText, signIn, useConsole, user } from './console.ts';
import { demoApi } from './world.ts';

/** Names of buttons and links that change records of the organization. */
const acts =
  /^(New|Create|Add|Connect|Edit|Delete|Remove|Invite|Resend|Revoke|Sync now|Disconnect|Acknowledge|Resolve|Reopen|Snooze|Archive|Apply|Mark|Start|Transfer|Rename|Change|Replace|Save)\b/;
/** Pages about the signed-in user, which every role can change. */
const own = /^\/settings(\/security|\/tokens|\/sessions|\/notifications)?$/;
/** Actions on private views and dashboards, which every role can have. */
const ownRecords = new Set(['Save view', 'New dashboard']);
/** Pages that a role cannot open show a notice, which has a separate test below. */
const refusedTo = {
  viewer: /\/(new|edit|connect|connect\/aws|invitations|audit)$/,
  member: /\/(alert-rules\/new|policies\/new|virtual\/new|connect|connect\/aws|invitations|audit)$/,
} as const;

function actsOnPage(): string[] {
  const all = document.querySelectorAll('main button, main a[class*="Button"]');
  const names = [...all]
    .filter((one) => one.closest('th') === null)
    .map((one) => one.getAttribute('aria-label') ?? one.textContent.trim());
  return names.filter((name) => acts.test(name) && !ownRecords.has(name));
}

/** Visits every page that this person's role can open.
 *  @param look returns what is wrong with the open page */
async function walk(api: ConsoleApi, at: { person: Person; without: RegExp }, look: () => Promise<string[]>) {
  const faults: Record<string, string[]> = {};
  for (const path of Object.values(await pathsFor(api, at.person))) {
    if (at.without.test(path)) continue;
    await follow(path);
    const found = await look();
    if (found.length > 0) faults[path] = found;
  }
  return faults;
}

interface Names {
  readonly accounts: { readonly data: readonly { readonly id: string; readonly name: string }[] };
  readonly costsByService: {
    readonly groups: readonly { readonly service: string; readonly serviceCategory: string }[];
  };
}

const namesQuery = `query ($accountId: [ID!]) {
  accounts(perPage: 100) { data { id name } } costsByService(accountId: $accountId) { groups { service serviceCategory } } }`;

describe('the console', () => {
  const api = demoApi();
  useConsole();

  it('offers a Viewer no action on records of the organization', async () => {
    const person = await api().someone('viewer');
    await signIn(api(), person);
    const faults = await walk(api(), { person, without: refusedTo.viewer }, async () =>
      own.test(location.pathname) ? [] : actsOnPage(),
    );
    expect(faults).toEqual({});
    // An Admin is offered actions, which shows that `actsOnPage` finds them.
    await signIn(api());
    await follow('/budgets');
    expect(actsOnPage()).toContain('New budget');
  }, 120_000);

  it('blocks pages that a role cannot open, and does not link to them', async () => {
    const person = await api().someone('viewer');
    await signIn(api(), person);
    const paths = Object.values(await pathsFor(api(), person)).filter((path) => refusedTo.viewer.test(path));
    for (const path of paths) {
      await follow(path);
      expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Not available for your role');
      expect(document.querySelectorAll(`a[href="${path}"]`)).toHaveLength(0);
    }
    expect(paths.length).toBeGreaterThan(5);
  });

  it('shows the pages of a new role after the next request', async () => {
    const person = await api().join('admin');
    await signIn(api(), person);
    const { data } = await api().rest<{ data: { id: string }[] }>('GET', `/org/members?search=${person.email}`);
    const become = (role: string) => api().rest('PATCH', `/org/members/${data[0]?.id}`, { body: { role } });
    await become('viewer');
    const places = within(screen.getByRole('navigation', { name: 'Settings' }));
    await user.click(places.getByRole('link', { name: 'Audit log' }));
    await screen.findByRole('heading', { level: 1, name: 'Not available for your role' });
    expect(main().getByRole('link', { name: 'Go to the overview' }).getAttribute('href')).toBe('/');
    await become('admin');
    // The browser's event for a tab that is shown again.
    document.dispatchEvent(new Event('visibilitychange'));
    await screen.findByRole('heading', { level: 1, name: 'Audit log' });
    expect(location.pathname).toBe('/settings/audit');
  });

  it('shows an error for unknown pages', async () => {
    await signIn(api());
    for (const each of ['/nothing-here', '/budgets/00000000-0000-4000-8000-000000000000']) {
      await follow(each);
      expect(mainText()).toMatch(/was deleted|no page/i);
    }
    expect(main().getByRole('link', { name: 'Go to Budgets' }).getAttribute('href')).toBe('/budgets');
  });

  it('has an address for every path of the routes', async () => {
    expect(Object.keys(await pathsFor(api()))).toEqual(routes.map(([pattern]) => pattern));
  });

  describe('of a member with one account', () => {
    /** The names in the organization, the account of the member, and the others. */
    const accounts = async () => {
      const all = await api().gql<Names>(namesQuery);
      const mine = all.accounts.data.find(({ name }) => name === 'Azure')?.id ?? '';
      return { all, mine, others: all.accounts.data.filter(({ id }) => id !== mine) };
    };

    it('shows "No data" for a record of another account', async () => {
      const { mine, others } = await accounts();
      await signIn(api(), await api().someone('member', [mine]));
      for (const path of [`/accounts/${others[0]?.id}`, `/reports/${others[0]?.id}`]) {
        await follow(path);
        expect(mainText(), path).toContain('No data');
        expect(within(screen.getByRole('main')).queryAllByRole('alert'), path).toEqual([]);
      }
    });

    it('shows the same text for filters by another account and by a deleted one', async () => {
      const { mine, others } = await accounts();
      await signIn(api(), await api().someone('member', [mine]));
      for (const id of [others[0]?.id ?? '', '01a227cb-0000-7000-8000-000000000000']) {
        const text = `Unknown account (${id.slice(0, 8)})`;
        await follow(`/costs?account=${id}&account=${mine}`);
        const chips = within(await main().findByRole('list', { name: 'Filters' }));
        const shown = chips.getAllByRole('button').map(({ textContent }) => textContent);
        expect(shown).toEqual([`Account is ${text}`, 'Account is Azure', 'Clear all']);
        for (const path of ['/recommendations', '/anomalies', '/inventory']) {
          await follow(`${path}?account=${id}&account=${mine}`);
          expect(mainText(), path).toContain(text);
          expect(mainText(), path).not.toContain(id);
        }
      }
    });

    it('names the accounts whose cost is divided by the quantity of the organization', async () => {
      const { mine } = await accounts();
      const { unitMetrics } = await api().gql<{ unitMetrics: { data: readonly { id: string }[] } }>(
        '{ unitMetrics { data { id } } }',
      );
      await signIn(api(), await api().someone('member', [mine]));
      await follow(`/unit-costs/${unitMetrics.data[0]?.id}`);
      await main().findByText('Cost of your accounts, divided by the organization’s quantity');
      expect(main().queryByText('Cost divided by quantity')).toBeNull();
    });

    it('shows no trace of the other accounts on any page or in any answer', async () => {
      const { all, mine, others } = await accounts();
      const ofMine = await api().gql<Names>(namesQuery, { accountId: [mine] });
      const seen = new Set(
        ofMine.costsByService.groups.flatMap(({ service, serviceCategory }) => [service, serviceCategory]),
      );
      const services = all.costsByService.groups.map(({ service }) => service).filter((service) => !seen.has(service));
      // In responses, names are quoted; on pages they are within other text, so only unique names are searched for.
      const hidden = [
        ...others.map(({ id }) => id),
        ...[...others.map(({ name }) => name), ...services].map((name) => `"${name}"`),
      ];
      const unspoken = ['AWS production', ...services.filter((service) => /^(Amazon|AWS) /.test(service))];
      expect(Math.min(hidden.length, unspoken.length)).toBeGreaterThan(10);
      const person = await api().someone('member', [mine]);
      await signIn(api(), person);
      const answers = recordedAnswers();
      let bytes = 0;
      const faults = await walk(api(), { person, without: refusedTo.member }, async () => {
        const received = (await Promise.all(answers.splice(0))).join('\n');
        bytes += received.length;
        const text = document.body.textContent;
        return [...hidden.filter((name) => received.includes(name)), ...unspoken.filter((name) => text.includes(name))];
      });
      expect(faults).toEqual({});
      expect(bytes).toBeGreaterThan(10_000);
    }, 120_000);
  });
});

/** Collects the bodies of all responses to the page until the test ends. */
function recordedAnswers(): Promise<string>[] {
  const answers: Promise<string>[] = [];
  const { fetch } = globalThis;
  const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation(async (resource, init) => {
    const response = await fetch(resource, init);
    if (typeof resource === 'string' && resource.startsWith('/')) answers.push(response.clone().text());
    return response;
  });
  onTestFinished(() => fetching.mockRestore());
  return answers;
}
