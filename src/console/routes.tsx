import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { may, type Permission, type Role } from './api/me.tsx';

/** Route of a page, with its required permission. */
export interface PageRoute {
  /** Path pattern; `:id` is a parameter. */
  readonly path: string;
  readonly Page: LazyExoticComponent<ComponentType>;
  /** Required permission. Roles without it see no links to the page, and a notice if they open it. */
  readonly needs?: Permission;
}

/** Loads a page component lazily from its module. */
function page<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return lazy(async () => ({ default: (await load())[name] }));
}

/** All pages for signed-in users; more specific paths come first. */
export const routes: readonly PageRoute[] = [
  { path: '/', Page: page(() => import('./overview/page.tsx'), 'OverviewPage') },
  { path: '/costs', Page: page(() => import('./costs/page.tsx'), 'CostsPage') },
  { path: '/invoices', Page: page(() => import('./invoices/page.tsx'), 'InvoicesPage') },
  { path: '/forecast', Page: page(() => import('./forecast/page.tsx'), 'ForecastPage') },
  { path: '/anomalies', Page: page(() => import('./anomalies/page.tsx'), 'AnomaliesPage') },
  { path: '/anomalies/:id', Page: page(() => import('./anomalies/detail-page.tsx'), 'AnomalyPage') },
  { path: '/recommendations', Page: page(() => import('./recommendations/page.tsx'), 'RecommendationsPage') },
  { path: '/recommendations/:id', Page: page(() => import('./recommendations/detail-page.tsx'), 'RecommendationPage') },
  { path: '/budgets', Page: page(() => import('./budgets/page.tsx'), 'BudgetsPage') },
  {
    path: '/budgets/new',
    Page: page(() => import('./budgets/edit-page.tsx'), 'NewBudgetPage'),
    needs: 'budgets.write',
  },
  { path: '/budgets/:id', Page: page(() => import('./budgets/detail-page.tsx'), 'BudgetPage') },
  {
    path: '/budgets/:id/edit',
    Page: page(() => import('./budgets/edit-page.tsx'), 'EditBudgetPage'),
    needs: 'budgets.write',
  },
  { path: '/coverage', Page: page(() => import('./coverage/page.tsx'), 'CoveragePage') },
  { path: '/coverage/planner', Page: page(() => import('./coverage/planner-page.tsx'), 'PlannerPage') },
  { path: '/inventory', Page: page(() => import('./inventory/page.tsx'), 'InventoryPage') },
  { path: '/inventory/:id', Page: page(() => import('./inventory/detail-page.tsx'), 'ResourcePage') },
  { path: '/tags', Page: page(() => import('./tags/page.tsx'), 'TagsPage') },
  { path: '/tags/violations', Page: page(() => import('./tags/violations-page.tsx'), 'ViolationsPage') },
  { path: '/tags/policies', Page: page(() => import('./tags/policies/page.tsx'), 'PoliciesPage') },
  {
    path: '/tags/policies/new',
    Page: page(() => import('./tags/policies/edit-page.tsx'), 'NewPolicyPage'),
    needs: 'tag_policies.write',
  },
  { path: '/tags/policies/:id', Page: page(() => import('./tags/policies/edit-page.tsx'), 'PolicyPage') },
  // Tag keys may contain dots and slashes, so the key is the rest of the path.
  { path: '/tags/keys/*', Page: page(() => import('./tags/key-page.tsx'), 'TagKeyPage') },
  { path: '/alert-rules', Page: page(() => import('./alert-rules/page.tsx'), 'AlertRulesPage') },
  {
    path: '/alert-rules/new',
    Page: page(() => import('./alert-rules/edit-page.tsx'), 'NewAlertRulePage'),
    needs: 'alert_rules.write',
  },
  { path: '/alert-rules/:id', Page: page(() => import('./alert-rules/edit-page.tsx'), 'AlertRulePage') },
  { path: '/reports', Page: page(() => import('./reports/page.tsx'), 'ReportsPage') },
  { path: '/reports/schedules', Page: page(() => import('./reports/schedules/page.tsx'), 'SchedulesPage') },
  { path: '/reports/:id', Page: page(() => import('./reports/page.tsx'), 'ReportPage') },
  { path: '/accounts', Page: page(() => import('./accounts/page.tsx'), 'AccountsPage') },
  {
    path: '/accounts/connect',
    Page: page(() => import('./accounts/source/connect-page.tsx'), 'ConnectPage'),
    needs: 'accounts.write',
  },
  {
    path: '/accounts/connect/:provider',
    Page: page(() => import('./accounts/source/connect-page.tsx'), 'ConnectProviderPage'),
    needs: 'accounts.write',
  },
  { path: '/accounts/:id', Page: page(() => import('./accounts/detail/page.tsx'), 'AccountPage') },
  { path: '/settings', Page: page(() => import('./settings/profile/page.tsx'), 'ProfilePage') },
  { path: '/settings/security', Page: page(() => import('./settings/security/page.tsx'), 'SecurityPage') },
  { path: '/settings/tokens', Page: page(() => import('./settings/tokens/page.tsx'), 'TokensPage') },
  { path: '/settings/sessions', Page: page(() => import('./settings/sessions/page.tsx'), 'SessionsPage') },
  {
    path: '/settings/notifications',
    Page: page(() => import('./settings/notifications/page.tsx'), 'NotificationsPage'),
  },
  { path: '/settings/organization', Page: page(() => import('./settings/organization/page.tsx'), 'OrganizationPage') },
  { path: '/settings/members', Page: page(() => import('./settings/members/page.tsx'), 'MembersPage') },
  {
    path: '/settings/invitations',
    Page: page(() => import('./settings/invitations/page.tsx'), 'InvitationsPage'),
    needs: 'members.write',
  },
  { path: '/settings/exchange-rates', Page: page(() => import('./settings/rates/page.tsx'), 'ExchangeRatesPage') },
  { path: '/settings/audit', Page: page(() => import('./settings/audit/page.tsx'), 'AuditPage'), needs: 'audit.read' },
  { path: '/invite', Page: page(() => import('./sign-in/join-page.tsx'), 'JoinPage') },
];

/** Whether links to a page are shown to a role.
 *  @param href path without parameters */
export function mayVisit(role: Role, href: string): boolean {
  const needs = routes.find(({ path }) => path === href)?.needs;
  return !needs || may(role, needs);
}
