import { screen } from '@testing-library/dom';
import { beforeAll, describe, expect, it } from 'vitest';
import { pathsFor } from '../paths.ts';
import { follow, mainText, press, signIn, useConsole } from './console.ts';
import { demoApi } from './world.ts';

const ignored = 'has no effect on this page';

/** Pages without state in the address: forms and settings, whose path says everything. */
const withoutState = new Set([
  '/dashboards/:id',
  '/anomalies/:id',
  '/recommendations/:id',
  '/budgets/:id/edit',
  '/tags/policies/new',
  '/tags/policies/:id',
  '/tags/virtual/new',
  '/tags/virtual/:id',
  '/alert-rules/:id',
  '/reports/:id',
  '/accounts/connect',
  '/settings',
  '/settings/security',
  '/settings/notifications',
  '/settings/organization',
  '/invite',
]);

describe('parameters that a page does not know', () => {
  const api = demoApi();
  useConsole();
  beforeAll(() => signIn(api()));

  it('are named with their replacement, and can be removed', async () => {
    await follow('/costs?from=2026-10-03&to=2026-11-07&tag=team:storefront&metric=billed');
    expect(mainText()).toContain(`tag=team:storefront in the address ${ignored}. Use tag:team=storefront.`);
    await press(screen.getByRole('button', { name: 'Remove from the address' }), 'Enter');
    expect(mainText()).not.toContain(ignored);
    expect(location.search).toBe('?from=2026-10-03&to=2026-11-07&metric=billed');
  });

  it('are named on every page with state in its address', async () => {
    const paths = Object.entries(await pathsFor(api()));
    const silent: string[] = [];
    for (const [route, path] of paths) {
      await follow(`${path}?virtual:color=red`);
      if (!mainText().includes(`virtual:color=red in the address ${ignored}`)) silent.push(route);
    }
    // The explorer has filters by virtual tag.
    expect(silent).toEqual(
      paths.map(([route]) => route).filter((route) => withoutState.has(route) || route === '/costs'),
    );
  }, 120_000);

  it.each([
    '/?dashboard=overview&by=account',
    '/costs?days=last_month&group=virtual:team&exclude_tag:env=test&day=2026-11-03&drill=true&utm_source=mail',
    '/forecast?account=1&provider=aws&service=a&model=linear&saved=1',
    '/anomalies?status=open&severity=high&assignee=none&from=2026-10-01&to=2026-10-31',
    '/recommendations?type=idle&minSavings=5&snoozed=true&status=all',
    '/coverage?view=coverable&region=a&days=last_month&sort=service',
    '/coverage/planner?term=12&region=a&page=1',
    '/inventory?tagKey=team&tagValue=a&untagged=true&gone=true&type=vm&rows=50',
    '/tags/violations?policy=1&key=a&problem=missing',
    '/budgets/new?costs=group%3Dservice',
    '/alert-rules/new?costs=',
    '/reports/schedules?type=inventory&format=csv&rows=100',
    '/accounts?sort=complete_through&syncStatus=failed',
    '/accounts/connect/aws?way=cur&with=keys',
    '/settings/channels?new=1',
    '/settings/invitations?invite=1',
    '/settings/members?search=a%40example.com',
    '/settings/exchange-rates?page=1',
    '/invite?token=abc',
  ])('do not include those of %s', async (path) => {
    await follow(path);
    expect(mainText()).not.toContain(ignored);
  });
});
