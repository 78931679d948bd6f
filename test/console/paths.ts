import type { ConsoleWorld, Person } from './world.ts';

interface Found {
  readonly anomalies: Ids;
  readonly recommendations: Ids;
  readonly budgets: Ids;
  readonly inventory: Ids;
  readonly alertRules: Ids;
  readonly accounts: Ids;
  readonly reports: Ids;
  readonly tagPolicies: Ids;
  readonly tags: { readonly data: readonly { readonly key: string }[] };
}

interface Ids {
  readonly data: readonly { readonly id: string }[];
}

const one = 'data { id }';
const question = `{
  anomalies(perPage: 1, status: [OPEN, ACKNOWLEDGED, RESOLVED]) { ${one} } recommendations(perPage: 1) { ${one} }
  budgets(perPage: 1) { ${one} } inventory(perPage: 1) { ${one} } alertRules(perPage: 1) { ${one} }
  accounts(perPage: 1) { ${one} } reports(perPage: 1) { ${one} } tagPolicies(perPage: 1) { ${one} } tags(perPage: 1) { data { key } } }`;

/** An address for every pattern of `routes.tsx`, about things that somebody may see. The test of all pages holds the list
 *  against that file. */
export async function pathsFor(world: ConsoleWorld, person: Person = world.admin): Promise<Record<string, string>> {
  const found = await world.gql<Found>(question, {}, person);
  const id = ({ data }: Ids) => data[0]?.id ?? 'none';
  return {
    '/': '/',
    '/costs': '/costs',
    '/forecast': '/forecast',
    '/anomalies': '/anomalies',
    '/anomalies/:id': `/anomalies/${id(found.anomalies)}`,
    '/recommendations': '/recommendations',
    '/recommendations/:id': `/recommendations/${id(found.recommendations)}`,
    '/budgets': '/budgets',
    '/budgets/new': '/budgets/new',
    '/budgets/:id': `/budgets/${id(found.budgets)}`,
    '/budgets/:id/edit': `/budgets/${id(found.budgets)}/edit`,
    '/coverage': '/coverage',
    '/coverage/planner': '/coverage/planner',
    '/inventory': '/inventory',
    '/inventory/:id': `/inventory/${id(found.inventory)}`,
    '/tags': '/tags',
    '/tags/violations': '/tags/violations',
    '/tags/policies': '/tags/policies',
    '/tags/policies/new': '/tags/policies/new',
    '/tags/policies/:id': `/tags/policies/${id(found.tagPolicies)}`,
    '/tags/keys/*': `/tags/keys/${encodeURIComponent(found.tags.data[0]?.key ?? 'none')}`,
    '/alert-rules': '/alert-rules',
    '/alert-rules/new': '/alert-rules/new',
    '/alert-rules/:id': `/alert-rules/${id(found.alertRules)}`,
    '/reports': '/reports',
    '/reports/schedules': '/reports/schedules',
    '/reports/:id': `/reports/${id(found.reports)}`,
    '/accounts': '/accounts',
    '/accounts/connect': '/accounts/connect',
    '/accounts/connect/:provider': '/accounts/connect/aws',
    '/accounts/:id': `/accounts/${id(found.accounts)}`,
    '/settings': '/settings',
    '/settings/security': '/settings/security',
    '/settings/tokens': '/settings/tokens',
    '/settings/sessions': '/settings/sessions',
    '/settings/notifications': '/settings/notifications',
    '/settings/organization': '/settings/organization',
    '/settings/members': '/settings/members',
    '/settings/invitations': '/settings/invitations',
    '/settings/exchange-rates': '/settings/exchange-rates',
    '/settings/audit': '/settings/audit',
    '/invite': '/invite',
  };
}

/** Pages of those who are not signed in. */
export const signedOutPaths = [
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password?token=none',
  '/invite?token=none',
];
