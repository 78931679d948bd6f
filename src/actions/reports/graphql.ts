import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, sortArg } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { filterSpecs } from './filters.ts';
import { ReportFormatEnum, ReportObject, ReportPage, ReportStatusEnum, ReportTypeEnum } from './graphql-types.ts';
import { createReport, pageReports, readReport } from './reports.ts';
import { reportSortFields } from './store.ts';

const filterNames = Object.entries(filterSpecs)
  .map(([type, spec]) => `\`${type}\`: ${Object.keys(spec).join(', ')}`)
  .join('; ');

builder.queryFields((t) => ({
  reports: t.field({
    type: ReportPage,
    description: 'The reports that lie wholly inside the caller’s accounts and have not expired; newest first.',
    authScopes: { signedIn: true },
    complexity: pageComplexity,
    args: {
      type: t.arg({ type: [ReportTypeEnum], description: 'Only about these.' }),
      format: t.arg({ type: [ReportFormatEnum], description: 'Only in these formats.' }),
      status: t.arg({ type: [ReportStatusEnum], description: 'Only those that stand so.' }),
      ...sortArg(reportSortFields),
      ...pageArgs(),
    },
    extensions: { rest: route({ method: 'GET', path: '/reports', category: 'read', csv: 'data' }) },
    async resolve(_root, args, ctx) {
      const page = pageRequest(args);
      const { rows, total } = await pageReports(ctx.deps, viewerOf(ctx).scope, args, page);
      return pageOf(rows, total, page);
    },
  }),
  report: t.field({
    type: ReportObject,
    description: 'One report: whether its file is ready.',
    authScopes: { signedIn: true },
    args: { id: t.arg.id({ required: true, description: 'UUID of the report.' }) },
    extensions: { rest: route({ method: 'GET', path: '/reports/{id}', category: 'read' }) },
    resolve: (_root, { id }, ctx) => readReport(ctx.deps, viewerOf(ctx).scope, id),
  }),
}));

builder.mutationFields((t) => ({
  createReport: t.field({
    type: ReportObject,
    description:
      'Makes a report of what the caller sees; its file is written in a job, and can be downloaded soon after. ' +
      'A caller who may see some accounts gets a report of those alone. For all but Viewers.',
    authScopes: { signedIn: true, can: 'reports.write' },
    args: {
      type: t.arg({ type: ReportTypeEnum, required: true, description: 'What it is about.' }),
      format: t.arg({ type: ReportFormatEnum, required: true, description: 'What it is written as.' }),
      startDate: t.arg({
        type: 'Date',
        description:
          'The first day; by default that of the same question asked without dates, mostly 29 days before the last.',
      }),
      endDate: t.arg({
        type: 'Date',
        description:
          'The last day, inclusive; today by default, of coverage the last that bills are complete for. Budgets, inventory ' +
          'and recommendations are always those of the making.',
      }),
      filters: t.arg({
        type: 'JSON',
        description:
          `What narrows it: parameters of the same list or cost question, as REST spells them; each takes a value or a ` +
          `list of them. \`cost_by_tag\` needs \`tag_key\`. ${filterNames}.`,
      }),
    },
    extensions: { rest: route({ method: 'POST', path: '/reports', status: 201, category: 'report' }) },
    resolve(_root, args, ctx) {
      const { userId, scope } = viewerOf(ctx);
      return createReport(ctx.deps, { userId, scope }, actorOf(ctx), args);
    },
  }),
}));

function route(rest: Partial<RestRoute> & Pick<RestRoute, 'method' | 'path' | 'category'>): RestRoute {
  return { status: 200, tags: ['Reports'], ...rest };
}
