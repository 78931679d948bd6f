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

/** List filter by state. */
export const enabledArg = builder.args((t) => ({
  enabled: t.boolean({ description: 'True: only enabled items. False: only disabled items.' }),
}));
