import { answerType, columns, instant, int, json, of, orNull, text, uuid } from '../../graph/answers.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { listArgs, pageField, pageType, selectedPage } from '../../graph/paging.ts';
import { recordOperations } from '../../graph/record-operations.ts';
import { foundById, relation, restName } from '../../graph/relations.ts';
import { readRoute, writeRoute } from '../../graph/rest.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { MeType } from '../../tenancy/login/graphql-types.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';
import { SavedViewType, viewById, VisibilityType } from '../views/graphql.ts';
import { queryRule, queryText, shownQuery } from '../views/view.ts';
import { createDashboard, dashboardFields, deleteDashboard, updateDashboard } from './change.ts';
import { defaultDashboard, defaultRule, updateDefaultDashboard } from './default.ts';
import { dashboardsOf, dashboardSortFields, pageDashboards } from './store.ts';
import { placeRules, storedWidgets, titleRule } from './widgets.ts';

const tag = 'Views';

const ChartType = wordEnum('WidgetChart', 'How a widget shows costs.', {
  bar: 'Stacked bars per day or month.',
  line: 'Lines per day or month.',
  area: 'Stacked areas per day or month.',
  cumulative: 'Running total, as a line.',
  table: 'A table of the groups.',
  number: 'The total, with its change.',
});

const placeTexts = {
  x: 'First column, 0 to 11.',
  y: 'First row, 0 to 999.',
  w: 'Width in columns, 1 to 12; `x` + `w` is at most 12.',
  h: 'Height in rows, 1 to 20.',
};
const viewText = 'UUID of a saved view of the cost explorer';
const explorerText = `${queryText} For the cost explorer.`;

const WidgetType = answerType('DashboardWidget', 'Costs on a dashboard, in a grid of 12 columns.', {
  id: text('Identifies the widget on its dashboard.'),
  viewId: orNull(uuid(`${viewText}, which may be deleted or private to another member; null if \`query\` is set.`)),
  query: orNull(json(`${explorerText} Null if \`viewId\` is set.`, bounded(queryRule))),
  chart: of(ChartType, 'Chart type.'),
  title: orNull(text('Title; null: the name of the view.')),
  x: int(placeTexts.x),
  y: int(placeTexts.y),
  w: int(placeTexts.w),
  h: int(placeTexts.h),
});

builder.objectField(WidgetType, 'view', (t) =>
  t.prismaField({
    ...relation,
    type: SavedViewType,
    nullable: true,
    description: 'The view of `viewId`; null if it is deleted or not visible to the caller.',
    resolve: (query, { viewId }, _args, ctx) => viewById(viewId, query, ctx),
  }),
);

const WidgetInputType = builder.inputType('DashboardWidgetInput', {
  description: 'Costs on a dashboard.',
  fields: (t) => ({
    id: t.id({ description: 'UUID of the widget on its dashboard. Default: a new one.' }),
    viewId: t.id({ description: `${viewText} that the caller sees. Required without \`query\`.` }),
    query: t.field({
      ...bounded(queryRule),
      type: 'JSON',
      description: `${explorerText} Required without \`viewId\`.`,
    }),
    chart: t.field({ type: ChartType, required: true, description: 'Chart type.' }),
    title: t.string({ ...bounded(titleRule), description: 'Title. Default: the name of the view.' }),
    x: t.int({ ...bounded(placeRules.x), required: true, description: placeTexts.x }),
    y: t.int({ ...bounded(placeRules.y), required: true, description: placeTexts.y }),
    w: t.int({ ...bounded(placeRules.w), required: true, description: placeTexts.w }),
    h: t.int({ ...bounded(placeRules.h), required: true, description: placeTexts.h }),
  }),
});

const DashboardType = builder.prismaObject('Dashboard', {
  ...foundById,
  description: 'Widgets with costs. Opening it grants no access: each member sees figures of their own scope.',
  fields: (t) =>
    columns(t, 'Dashboard', {
      id: uuid('UUIDv7 of the dashboard.'),
      name: text('Display name.'),
      visibility: of(VisibilityType, 'Visibility.'),
      widgets: t.field({
        type: [WidgetType],
        description: 'Its widgets, at most 40.',
        select: { widgets: true },
        resolve: ({ widgets }) =>
          storedWidgets(widgets).map((widget) => ({ ...widget, query: widget.query && shownQuery(widget.query) })),
      }),
      createdById: uuid(
        'UUID of the owner; the Super Admin’s for a former member’s dashboard.',
        restName('created_by'),
      ),
      createdBy: t.field(memberRelation('createdById', 'The owner; the Super Admin for a former member’s dashboard.')),
      createdAt: instant('Creation time.'),
      updatedAt: instant('Time of the last change.'),
    }),
});

const DashboardPage = pageType('Dashboard', DashboardType);

builder.queryField('dashboards', (t) =>
  t.field({
    ...pageField(DashboardPage),
    description: 'Lists the caller’s dashboards and those shared in the organization, by name.',
    args: {
      visibility: t.arg({ type: [VisibilityType], description: 'Only dashboards with this visibility.' }),
      ...listArgs('Dashboard', dashboardSortFields, 'By name'),
    },
    ...readRoute(tag, '/dashboards', { csv: 'data' }),
    resolve: selectedPage((ctx, args, page) => pageDashboards(ctx.deps, viewerOf(ctx), args, page)),
  }),
);

const defaultTexts = {
  own: 'Start page of the caller: `overview`, or the UUID of a dashboard; null: that of the organization.',
  organization:
    'Start page of members without their own: `overview`, or the UUID of a shared dashboard; null: the overview.',
};

const DefaultDashboardType = answerType(
  'DefaultDashboard',
  'Start page of the console. A dashboard that is deleted or no longer shared with the caller is ignored.',
  { own: orNull(text(defaultTexts.own)), organization: orNull(text(defaultTexts.organization)) },
);

const UpdateDefaultDashboardInput = builder.inputType('UpdateDefaultDashboardInput', {
  description: 'Changes to the start page of the console: omitted fields stay unchanged.',
  fields: (t) => ({
    own: t.string({ ...bounded(defaultRule), description: defaultTexts.own }),
    organization: t.string({
      ...bounded(defaultRule),
      description: `${defaultTexts.organization} For Admins with access to all accounts.`,
    }),
  }),
});

builder.objectField(MeType, 'defaultDashboard', (t) =>
  t.field({
    type: DefaultDashboardType,
    extensions: { rest: false },
    description: 'Start page of the console.',
    resolve: (viewer, _args, ctx) =>
      // Until the second factor is set up, nothing of the organization is shown.
      viewer.twoFactorSetupRequired ? { own: null, organization: null } : defaultDashboard(ctx.deps, viewer),
  }),
);

builder.queryField('defaultDashboard', (t) =>
  t.field({
    type: DefaultDashboardType,
    description: 'Returns the start page of the console.',
    ...readRoute(tag, '/dashboards/default'),
    resolve: (_root, _args, ctx) => defaultDashboard(ctx.deps, viewerOf(ctx)),
  }),
);

builder.mutationField('updateDefaultDashboard', (t) =>
  t.field({
    type: DefaultDashboardType,
    description:
      'Changes the start page of the console, for the caller or, by Admins with access to all accounts, for the organization.',
    args: {
      input: t.arg({ type: UpdateDefaultDashboardInput, required: true, description: 'Fields to change.' }),
    },
    ...writeRoute(tag, 'views.write', { method: 'PATCH', path: '/dashboards/default' }),
    async resolve(_root, { input }, ctx) {
      await updateDefaultDashboard(ctx.deps, viewerOf(ctx), actorOf(ctx), input);
      return defaultDashboard(ctx.deps, viewerOf(ctx));
    },
  }),
);

recordOperations('Dashboard', 'a dashboard', {
  type: DashboardType,
  tag,
  path: '/dashboards',
  can: 'views.write',
  conflicts: true,
  fields: dashboardFields,
  shown: {
    name: {
      type: 'String',
      text: 'Display name, 1 to 100 characters on one line. Unique among the shared dashboards of the organization, and among the caller’s private ones, ignoring case.',
    },
    visibility: { type: VisibilityType, text: 'Visibility. Viewers can only have private dashboards.' },
    widgets: { type: [WidgetInputType], text: 'Its widgets, at most 40.', onUpdate: ' Replaces the current ones.' },
  },
  descriptions: {
    id: 'UUID of the dashboard.',
    read: 'Returns a dashboard.',
    create: 'Creates a dashboard, owned by the caller.',
    update: 'Updates a dashboard. Owners can update their own, Admins also shared ones.',
    remove: 'Deletes a dashboard. Owners can delete their own, Admins also shared ones. Its views are kept.',
  },
  read: (deps, { scope, userId }, id, query) => dashboardsOf(userId).read(deps, scope, id, query),
  create: createDashboard,
  update: updateDashboard,
  remove: deleteDashboard,
});
