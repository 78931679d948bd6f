import { enabledArg } from '../graphql.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import { listArgs, pageField, selectedPage } from '../../graph/paging.ts';
import { recordOperations } from '../../graph/record-operations.ts';
import { readRoute, writeRoute } from '../../graph/rest.ts';
import {
  AllocationRuleInputType,
  PreviewType,
  SplitInputType,
  VirtualTagPage,
  VirtualTagType,
} from './graphql-types.ts';
import { previewVirtualTag } from './preview.ts';
import { allocationLimits, allocationRulesRule, valueRule } from './rules.ts';
import { virtualTags, virtualTagSortFields } from './store.ts';
import {
  createVirtualTag,
  deleteVirtualTag,
  pageVirtualTags,
  unallocated,
  updateVirtualTag,
  virtualTagFields,
} from './virtual-tags.ts';

builder.queryField('virtualTags', (t) =>
  t.field({
    ...readRoute('Virtual tags', '/virtual-tags', { csv: 'data' }),
    ...pageField(VirtualTagPage),
    description: 'Lists the virtual tags of the organization, newest first.',
    args: { ...enabledArg, ...listArgs('VirtualTag', virtualTagSortFields) },
    resolve: selectedPage((ctx, args, page) => pageVirtualTags(ctx.deps, viewerOf(ctx).scope, args, page)),
  }),
);

const rulesText = `1 to ${allocationLimits.rules} rules; the first matching rule applies.`;

builder.mutationField('previewVirtualTag', (t) =>
  t.field({
    ...writeRoute('Virtual tags', 'virtual_tags.write', { path: '/virtual-tags/preview' }),
    type: PreviewType,
    description:
      'Applies rules to the costs of the last 30 complete days without storing them. Returns the allocated share, the cost of each value, and the largest costs that no rule matches. For Admins.',
    args: {
      rules: t.arg({
        ...bounded(allocationRulesRule),
        type: [AllocationRuleInputType],
        required: true,
        description: rulesText,
      }),
      defaultValue: t.arg.string({
        ...bounded(valueRule),
        defaultValue: unallocated,
        description: 'The value of charges that no rule matches.',
      }),
    },
    resolve: (_root, { rules, defaultValue }, ctx) =>
      previewVirtualTag(
        ctx.deps,
        viewerOf(ctx).scope,
        { rules, defaultValue: defaultValue ?? unallocated },
        ctx.signal,
      ),
  }),
);

const allAccounts = 'For Admins with access to all accounts.';

recordOperations('VirtualTag', 'a virtual tag', {
  type: VirtualTagType,
  tag: 'Virtual tags',
  path: '/virtual-tags',
  can: 'virtual_tags.write',
  conflicts: true,
  fields: virtualTagFields,
  shown: {
    key: {
      type: 'String',
      text: 'Key: lowercase letters, digits, `-`, `_` and `.`, starting with a letter or digit; unique in the organization. Default: derived from the name. It cannot be changed.',
    },
    name: { type: 'String', text: 'Display name, 1 to 100 characters on one line.' },
    description: { type: 'String', text: 'Description.' },
    defaultValue: { type: 'String', text: 'The value of charges that no rule matches.' },
    rules: { type: [AllocationRuleInputType], text: rulesText, onUpdate: ' Replaces the current rules.' },
    splits: {
      type: [SplitInputType],
      text: 'Splits of shared costs, which must not form a cycle.',
      onUpdate: ' Replaces the current splits.',
    },
    enabled: { type: 'Boolean', text: 'Whether costs can be grouped and filtered by it.' },
  },
  descriptions: {
    id: 'UUID of the virtual tag.',
    read: 'Returns a virtual tag.',
    create: `Creates a virtual tag: rules that give every charge one value. ${allAccounts}`,
    update: `Updates a virtual tag. New rules are evaluated in the background; responses use the previous ones until then. ${allAccounts}`,
    remove: `Deletes a virtual tag. ${allAccounts}`,
  },
  read: (deps, { scope }, id, query) => virtualTags.read(deps, scope, id, query),
  create: createVirtualTag,
  update: updateVirtualTag,
  remove: deleteVirtualTag,
});
