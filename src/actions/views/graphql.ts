import { columns, instant, of, text, uuid } from '../../graph/answers.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import { listArgs, pageField, pageType, selectedPage } from '../../graph/paging.ts';
import { recordOperations } from '../../graph/record-operations.ts';
import { batchedById, foundById, restName } from '../../graph/relations.ts';
import { readRoute } from '../../graph/rest.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import type { Selection } from '../../tenancy/accounts/about.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';
import { createView, deleteView, updateView } from './change.ts';
import { pageViews, viewSortFields, viewsOf } from './store.ts';
import { queryRule, queryText, shownQuery, storedQuery, viewFields } from './view.ts';

const tag = 'Views';

const ViewPageType = wordEnum('ViewPage', 'A page of the console whose URL contains its filters and settings.', {
  costs: 'The cost explorer.',
  unit_costs: 'Unit costs.',
  invoices: 'Invoices.',
  forecast: 'The forecast.',
  anomalies: 'Anomalies.',
  recommendations: 'Recommendations.',
  budgets: 'Budgets.',
  coverage: 'Commitment coverage.',
  planner: 'The commitment planner.',
  inventory: 'The inventory.',
  tags: 'Tags.',
  tag_violations: 'Violations of tag policies.',
  alert_rules: 'Alert rules.',
  reports: 'Reports.',
  report_schedules: 'Report schedules.',
  accounts: 'Accounts.',
});

/** Visibility of a view or a dashboard. */
export const VisibilityType = wordEnum('Visibility', 'Visibility of a saved view or dashboard.', {
  private: 'Its owner only.',
  organization:
    'The organization. Members with access to some accounts see it only if all its queries are limited to their accounts.',
});

export const SavedViewType = builder.prismaObject('SavedView', {
  ...foundById,
  description:
    'A named state of a console page. Opening it grants no access: each member sees figures of their own scope.',
  fields: (t) =>
    columns(t, 'SavedView', {
      id: uuid('UUIDv7 of the view.'),
      name: text('Display name.'),
      page: of(ViewPageType, 'The page.'),
      query: t.field({
        ...bounded(queryRule),
        type: 'JSON',
        description: queryText,
        select: { query: true },
        resolve: ({ query }) => shownQuery(storedQuery(query)),
      }),
      visibility: of(VisibilityType, 'Visibility.'),
      createdById: uuid('UUID of the owner; the Super Admin’s for a former member’s view.', restName('created_by')),
      createdBy: t.field(memberRelation('createdById', 'The owner; the Super Admin for a former member’s view.')),
      createdAt: instant('Creation time.'),
      updatedAt: instant('Time of the last change.'),
    }),
});

/** Reads a view by id, among those that the caller sees. */
export const viewById = batchedById((ids, query: Selection, ctx) => {
  const { scope, userId } = viewerOf(ctx);
  return viewsOf(userId).select(ctx.deps.db, scope, ids, query);
});

const SavedViewPage = pageType('SavedView', SavedViewType);

builder.queryField('savedViews', (t) =>
  t.field({
    ...pageField(SavedViewPage),
    description: 'Lists the caller’s saved views and those shared in the organization, by name.',
    args: {
      pages: t.arg({ type: [ViewPageType], description: 'Only views of these pages.' }),
      visibility: t.arg({ type: [VisibilityType], description: 'Only views with this visibility.' }),
      ...listArgs('SavedView', viewSortFields, 'By name'),
    },
    ...readRoute(tag, '/views', { csv: 'data' }),
    resolve: selectedPage((ctx, { pages, ...args }, page) =>
      pageViews(ctx.deps, viewerOf(ctx), { ...args, pages }, page),
    ),
  }),
);

recordOperations('SavedView', 'a saved view', {
  type: SavedViewType,
  tag,
  path: '/views',
  can: 'views.write',
  conflicts: true,
  fields: viewFields,
  shown: {
    name: {
      type: 'String',
      text: 'Display name, 1 to 100 characters on one line. Unique among the shared views of the organization, and among the caller’s private ones, ignoring case.',
    },
    page: { type: ViewPageType, text: 'The page.' },
    query: { type: 'JSON', text: queryText, onUpdate: ' Replaces the current query; null empties it.' },
    visibility: { type: VisibilityType, text: 'Visibility. Viewers can only have private views.' },
  },
  descriptions: {
    id: 'UUID of the view.',
    read: 'Returns a saved view.',
    create: 'Saves a view, owned by the caller.',
    update: 'Updates a saved view. Owners can update their own, Admins also shared ones.',
    remove:
      'Deletes a saved view. Owners can delete their own, Admins also shared ones. Dashboard widgets that show it are kept, but show no costs.',
  },
  read: (deps, { scope, userId }, id, query) => viewsOf(userId).read(deps, scope, id, query),
  create: createView,
  update: updateView,
  remove: deleteView,
});
