import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { may, type Permission, type Role } from './api/me.tsx';

/** Path pattern of a page, in which `:id` is a parameter; its component; and the permission that it requires, if any. Roles
 *  without it see no links to the page, and a notice if they open it. */
export type PageRoute = readonly [path: string, Page: LazyExoticComponent<ComponentType>, needs?: Permission];

/** Loads a page component lazily from its module. */
function page<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return lazy(async () => ({ default: (await load())[name] }));
}

/** All pages for signed-in users; more specific paths come first. */
export const routes: readonly PageRoute[] = [
  ['/', page(() => import('./overview/page.tsx'), 'OverviewPage')],
  ['/dashboards', page(() => import('./dashboards/page.tsx'), 'DashboardsPage')],
  ['/dashboards/:id', page(() => import('./dashboards/detail-page.tsx'), 'DashboardPage')],
  ['/costs', page(() => import('./costs/page.tsx'), 'CostsPage')],
  ['/unit-costs', page(() => import('./unit-costs/page.tsx'), 'UnitCostsPage')],
  ['/unit-costs/:id', page(() => import('./unit-costs/detail-page.tsx'), 'UnitCostPage')],
  ['/invoices', page(() => import('./invoices/page.tsx'), 'InvoicesPage')],
  ['/forecast', page(() => import('./forecast/page.tsx'), 'ForecastPage')],
  ['/anomalies', page(() => import('./anomalies/page.tsx'), 'AnomaliesPage')],
  ['/anomalies/:id', page(() => import('./anomalies/detail-page.tsx'), 'AnomalyPage')],
  ['/recommendations', page(() => import('./recommendations/page.tsx'), 'RecommendationsPage')],
  ['/recommendations/:id', page(() => import('./recommendations/detail-page.tsx'), 'RecommendationPage')],
  ['/budgets', page(() => import('./budgets/page.tsx'), 'BudgetsPage')],
  ['/budgets/new', page(() => import('./budgets/edit-page.tsx'), 'NewBudgetPage'), 'budgets.write'],
  ['/budgets/:id', page(() => import('./budgets/detail-page.tsx'), 'BudgetPage')],
  ['/budgets/:id/edit', page(() => import('./budgets/edit-page.tsx'), 'EditBudgetPage'), 'budgets.write'],
  ['/coverage', page(() => import('./coverage/page.tsx'), 'CoveragePage')],
  ['/coverage/planner', page(() => import('./coverage/planner-page.tsx'), 'PlannerPage')],
  ['/inventory', page(() => import('./inventory/page.tsx'), 'InventoryPage')],
  ['/inventory/:id', page(() => import('./inventory/detail-page.tsx'), 'ResourcePage')],
  ['/tags', page(() => import('./tags/page.tsx'), 'TagsPage')],
  ['/tags/violations', page(() => import('./tags/violations-page.tsx'), 'ViolationsPage')],
  ['/tags/policies', page(() => import('./tags/policies/page.tsx'), 'PoliciesPage')],
  ['/tags/policies/new', page(() => import('./tags/policies/edit-page.tsx'), 'NewPolicyPage'), 'tag_policies.write'],
  ['/tags/policies/:id', page(() => import('./tags/policies/edit-page.tsx'), 'PolicyPage')],
  ['/tags/virtual', page(() => import('./tags/virtual/page.tsx'), 'VirtualTagsPage')],
  ['/tags/virtual/new', page(() => import('./tags/virtual/edit-page.tsx'), 'NewVirtualTagPage'), 'virtual_tags.write'],
  ['/tags/virtual/:id', page(() => import('./tags/virtual/edit-page.tsx'), 'VirtualTagPage')],
  // Tag keys may contain dots and slashes, so the key is the rest of the path.
  ['/tags/keys/*', page(() => import('./tags/key-page.tsx'), 'TagKeyPage')],
  ['/alert-rules', page(() => import('./alert-rules/page.tsx'), 'AlertRulesPage')],
  ['/alert-rules/new', page(() => import('./alert-rules/edit-page.tsx'), 'NewAlertRulePage'), 'alert_rules.write'],
  ['/alert-rules/:id', page(() => import('./alert-rules/edit-page.tsx'), 'AlertRulePage')],
  ['/reports', page(() => import('./reports/page.tsx'), 'ReportsPage')],
  ['/reports/schedules', page(() => import('./reports/schedules/page.tsx'), 'SchedulesPage')],
  ['/reports/:id', page(() => import('./reports/page.tsx'), 'ReportPage')],
  ['/notifications', page(() => import('./notifications/page.tsx'), 'SentNotificationsPage')],
  ['/accounts', page(() => import('./accounts/page.tsx'), 'AccountsPage')],
  ['/accounts/connect', page(() => import('./accounts/source/connect-page.tsx'), 'ConnectPage'), 'accounts.write'],
  [
    '/accounts/connect/:provider',
    page(() => import('./accounts/source/connect-page.tsx'), 'ConnectProviderPage'),
    'accounts.write',
  ],
  ['/accounts/:id', page(() => import('./accounts/detail/page.tsx'), 'AccountPage')],
  ['/settings', page(() => import('./settings/profile/page.tsx'), 'ProfilePage')],
  ['/settings/security', page(() => import('./settings/security/page.tsx'), 'SecurityPage')],
  ['/settings/tokens', page(() => import('./settings/tokens/page.tsx'), 'TokensPage')],
  ['/settings/sessions', page(() => import('./settings/sessions/page.tsx'), 'SessionsPage')],
  ['/settings/notifications', page(() => import('./settings/notifications/page.tsx'), 'NotificationsPage')],
  ['/settings/channels', page(() => import('./settings/channels/page.tsx'), 'ChannelsPage')],
  ['/settings/organization', page(() => import('./settings/organization/page.tsx'), 'OrganizationPage')],
  ['/settings/members', page(() => import('./settings/members/page.tsx'), 'MembersPage')],
  ['/settings/invitations', page(() => import('./settings/invitations/page.tsx'), 'InvitationsPage'), 'members.write'],
  ['/settings/exchange-rates', page(() => import('./settings/rates/page.tsx'), 'ExchangeRatesPage')],
  ['/settings/audit', page(() => import('./settings/audit/page.tsx'), 'AuditPage'), 'audit.read'],
  ['/invite', page(() => import('./sign-in/join-page.tsx'), 'JoinPage')],
];

/** Whether links to a page are shown to a role.
 *  @param href path without parameters */
export function mayVisit(role: Role, href: string): boolean {
  const needs = routes.find(([path]) => path === href)?.[2];
  return !needs || may(role, needs);
}
