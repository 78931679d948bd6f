import type { ConsoleApi } from './client.ts';
import type { Person } from './data.ts';

interface Page {
  readonly data: readonly { readonly id: string; readonly key?: string }[];
}

/** Returns a URL for every pattern of `routes.tsx`, of records that the given user can see. The components' test of roles compares
 *  the list with that file. */
export async function pathsFor(world: ConsoleApi, person: Person = world.admin): Promise<Record<string, string>> {
  // Uses REST, because a server may accept listed GraphQL operations only.
  const first = async (list: string) => {
    const { data } = await world.rest<Page>('GET', list, { as: person });
    return data[0];
  };
  const id = async (list: string) => (await first(list))?.id ?? 'none';
  const found = {
    anomalies: await id('/anomalies?per_page=1&status=open&status=acknowledged&status=resolved'),
    recommendations: await id('/recommendations?per_page=1'),
    dashboards: await id('/dashboards?per_page=1'),
    unitMetrics: await id('/metrics?per_page=1'),
    budgets: await id('/budgets?per_page=1'),
    inventory: await id('/inventory?per_page=1'),
    alertRules: await id('/alert-rules?per_page=1'),
    accounts: await id('/accounts?per_page=1'),
    reports: await id('/reports?per_page=1'),
    tagPolicies: await id('/tag-policies?per_page=1'),
    virtualTags: await id('/virtual-tags?per_page=1'),
    tag: (await first('/tags?per_page=1'))?.key ?? 'none',
  };
  return {
    '/': '/',
    '/dashboards': '/dashboards',
    '/dashboards/:id': `/dashboards/${found.dashboards}`,
    '/costs': '/costs',
    '/unit-costs': '/unit-costs',
    '/unit-costs/:id': `/unit-costs/${found.unitMetrics}`,
    '/invoices': '/invoices',
    '/forecast': '/forecast',
    '/anomalies': '/anomalies',
    '/anomalies/:id': `/anomalies/${found.anomalies}`,
    '/recommendations': '/recommendations',
    '/recommendations/:id': `/recommendations/${found.recommendations}`,
    '/budgets': '/budgets',
    '/budgets/new': '/budgets/new',
    '/budgets/:id': `/budgets/${found.budgets}`,
    '/budgets/:id/edit': `/budgets/${found.budgets}/edit`,
    '/coverage': '/coverage',
    '/coverage/planner': '/coverage/planner',
    '/inventory': '/inventory',
    '/inventory/:id': `/inventory/${found.inventory}`,
    '/tags': '/tags',
    '/tags/violations': '/tags/violations',
    '/tags/policies': '/tags/policies',
    '/tags/policies/new': '/tags/policies/new',
    '/tags/policies/:id': `/tags/policies/${found.tagPolicies}`,
    '/tags/virtual': '/tags/virtual',
    '/tags/virtual/new': '/tags/virtual/new',
    '/tags/virtual/:id': `/tags/virtual/${found.virtualTags}`,
    '/tags/keys/*': `/tags/keys/${encodeURIComponent(found.tag)}`,
    '/alert-rules': '/alert-rules',
    '/alert-rules/new': '/alert-rules/new',
    '/alert-rules/:id': `/alert-rules/${found.alertRules}`,
    '/reports': '/reports',
    '/reports/schedules': '/reports/schedules',
    '/reports/:id': `/reports/${found.reports}`,
    '/notifications': '/notifications',
    '/accounts': '/accounts',
    '/accounts/connect': '/accounts/connect',
    '/accounts/connect/:provider': '/accounts/connect/aws',
    '/accounts/:id': `/accounts/${found.accounts}`,
    '/settings': '/settings',
    '/settings/security': '/settings/security',
    '/settings/tokens': '/settings/tokens',
    '/settings/sessions': '/settings/sessions',
    '/settings/notifications': '/settings/notifications',
    '/settings/channels': '/settings/channels',
    '/settings/organization': '/settings/organization',
    '/settings/members': '/settings/members',
    '/settings/invitations': '/settings/invitations',
    '/settings/exchange-rates': '/settings/exchange-rates',
    '/settings/audit': '/settings/audit',
    '/invite': '/invite',
  };
}

/** Pages for signed-out users. */
export const signedOutPaths = [
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password?token=none',
  '/invite?token=none',
];
