import { answerType, uuids } from '../../graph/answers.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { writeRoute } from '../../graph/rest.ts';
import { loadSampleData, removeSampleData } from './run.ts';

const SampleDataType = answerType('SampleData', 'Accounts with sample data.', {
  accountIds: uuids('UUIDs of the AWS, Azure and Google Cloud accounts.'),
});

builder.mutationFields((t) => ({
  loadSampleData: t.field({
    type: SampleDataType,
    description:
      'Connects three accounts with the bills of a made-up company, in the organization’s currency, and queues their first syncs. Also creates a budget, a dashboard and two annotations about the AWS account. The data counts in all figures until it is removed. For Admins with access to all accounts.',
    ...writeRoute('Accounts', 'accounts.write', { path: '/accounts/sample', status: 201, errors: ['CONFLICT'] }),
    resolve: async (_root, _args, ctx) => ({
      accountIds: await loadSampleData(ctx.deps, viewerOf(ctx), actorOf(ctx)),
    }),
  }),
  removeSampleData: t.field({
    type: 'Boolean',
    description:
      'Deletes the accounts with sample data and everything derived from them. Without any, nothing changes. For Admins with access to all accounts.',
    ...writeRoute('Accounts', 'accounts.write', { method: 'DELETE', path: '/accounts/sample' }),
    resolve: (_root, _args, ctx) => removeSampleData(ctx.deps, viewerOf(ctx), actorOf(ctx)).then(() => true),
  }),
}));
