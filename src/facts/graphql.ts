import { bounded } from '../graph/bounded.ts';
import { builder } from '../graph/builder.ts';
import { providersRule } from './provider.ts';

/** List filters by place. */
export const placeArgs = builder.args((t) => ({
  accountId: t.idList({ description: 'Only these connected accounts. Unknown ids match nothing.' }),
  provider: t.stringList({
    ...bounded(providersRule),
    description: 'Only these providers, as slugs: `aws`, `azure`, `gcp`, `oracle` …',
  }),
}));

/** List filters by place and service. */
export const serviceArgs = builder.args((t) => ({
  ...placeArgs,
  service: t.stringList({ description: 'Only these services: FOCUS ServiceName, as on the bill.' }),
}));

/** List filters by what a budget or alert rule covers. */
export const targetArgs = builder.args((t) => ({
  ...serviceArgs,
  subAccountId: t.stringList({ description: 'Only items with these sub-accounts in scope: FOCUS SubAccountId.' }),
  tagKey: t.string({
    description: 'Only items with this tag key in scope, ignoring case, or `virtual:KEY` for a virtual tag.',
  }),
  tagValue: t.stringList({ description: 'Only items with these tag values in scope.' }),
}));

/** List filter by state. */
export const enabledArg = builder.args((t) => ({
  enabled: t.boolean({ description: 'True: only enabled items. False: only disabled items.' }),
}));
