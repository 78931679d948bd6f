import {
  listOf,
  answerType,
  columns,
  decimal,
  exposed,
  flag,
  instant,
  uuid,
  int,
  of,
  orNull,
  text,
  texts,
  type Answer,
  type Shape,
} from '../../graph/answers.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { viewerOf } from '../../graph/context.ts';
import { pageType } from '../../graph/paging.ts';
import { accountInScope, foundById, batched, batchedById, relation, restName } from '../../graph/relations.ts';
import { accountById, listOnAccount, namedAccount } from '../../tenancy/accounts/graphql.ts';
import type { Selection } from '../../tenancy/accounts/about.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';
import { convertedCostOf, convertedCostText } from '../graphql.ts';
import {
  ConvertedCostType,
  OtherCostType,
  otherCostsText,
  resourceOf,
  ResourceType as InventoryType,
} from '../inventory/graphql.ts';
import {
  policyLimits,
  allowedValuesRule,
  patternRule,
  ruleKeyRule,
  parseRules,
  type TagPolicy,
} from './policies/rule.ts';
import { areEvaluating, countViolations } from './policies/policies.ts';
import { policies } from './policies/store.ts';

/** Kind of a violation. */
export const ProblemEnum = wordEnum('TagProblem', 'How a resource violates a rule.', {
  missing: 'The tag is missing.',
  value_not_allowed: 'The value is not allowed.',
  pattern_mismatch: 'The value does not match the pattern.',
  wrong_case: 'The key or value differs in case only.',
});

const TagKeyType = answerType(
  'TagKey',
  'Usage of a tag key in the caller’s scope. Keys are merged ignoring case. Costs are converted at the charge month’s exchange rate; costs without a rate are excluded.',
  {
    key: text('The key in its most common spelling.'),
    valueCount: int('Number of different values on existing resources and on charges of the last 30 days.'),
    resourceCount: int('Number of existing resources with the key.'),
    costLast30Days: decimal(
      'FOCUS EffectiveCost of charges with the key over the 30 days up to each account’s last complete day, in `currency`, rounded to 6 decimals.',
    ),
    currency: text('The organization’s currency, ISO 4217.'),
    coveragePercent: orNull(
      decimal(
        'Share of the taggable cost with the key, in percent, 0 to 100. Taxes, credits, adjustments, support, commitment purchases, unused commitments and charges without a resource are not taggable and excluded. Null if nothing is taggable.',
      ),
    ),
  },
);
export type TagKey = Answer<typeof TagKeyType>;

export const TagKeyPage = pageType('TagKey', TagKeyType);

const resourceFields = {
  id: uuid('UUIDv7 of the resource in the inventory.'),
  accountId: uuid('The connected account.'),
  provider: text('Provider, as a slug such as `aws`.'),
  nativeId: text('FOCUS ResourceId, such as an ARN.'),
  name: text('Display name.'),
  resourceType: text('Resource type, as named by the provider.'),
  service: text('FOCUS ServiceName of most of its cost.'),
  region: text('FOCUS RegionId.'),
};

const ResourceType = builder
  .objectRef<Shape<typeof resourceFields> & { readonly resourceId: string }>('ViolatingResource')
  .implement({
    description: 'The resource that violates a rule.',
    fields: (t) => ({
      ...exposed(t, resourceFields),
      account: t.prismaField(namedAccount('The connected account.')),
      inventory: t.prismaField({
        ...relation,
        type: InventoryType,
        nullable: true,
        description: 'The resource in the inventory; null if it has just been removed.',
        resolve: (query, { accountId, resourceId }, _args, ctx) =>
          resourceOf({ accountId, resourceId: BigInt(resourceId) }, query, ctx),
      }),
    }),
  });

const policyById = batchedById((ids, query: Selection, ctx) =>
  policies.select(ctx.deps.db, viewerOf(ctx).scope, ids, query),
);

const violationFields = {
  policyId: uuid('UUIDv7 of the policy.'),
  policyName: text('Name of the policy.'),
  resource: of(ResourceType, 'The resource.'),
  key: text('Key of the rule.'),
  problem: of(ProblemEnum, 'Kind of violation.'),
  value: orNull(text('The tag’s value; null if the tag is missing.')),
  costLast30Days: decimal(
    'FOCUS EffectiveCost over the 30 days up to the account’s last complete day, in `currency`, rounded to 6 decimals.',
  ),
  currency: text('Billing currency of most of the cost, ISO 4217.'),
  otherCosts: listOf(OtherCostType, otherCostsText),
};

/** A resource with the rule it violates. */
export type TagViolation = Shape<typeof violationFields> & {
  /** Its cost by month. */
  readonly monthCosts: unknown;
};

const ViolationType = builder.objectRef<TagViolation>('TagViolation').implement({
  description:
    'A resource that violates a rule of a tag policy. Evaluated after each sync, once per day, and after a policy change.',
  fields: (t) => ({
    ...exposed(t, violationFields),
    converted: t.field({
      type: ConvertedCostType,
      nullable: true,
      description: convertedCostText,
      resolve: ({ resource: { accountId }, ...cost }, _args, ctx) => convertedCostOf({ accountId, ...cost }, ctx),
    }),
    policy: t.prismaField({
      ...relation,
      type: 'TagPolicy',
      nullable: true,
      description: 'The policy.',
      resolve: (query, { policyId }, _args, ctx) => policyById(policyId, query, ctx),
    }),
    account: t.prismaField({
      ...relation,
      type: 'Account',
      nullable: true,
      description: 'The connected account of the resource.',
      resolve: (query, { resource }, _args, ctx) => accountById(resource.accountId, query, ctx),
    }),
  }),
});

export const ViolationPage = pageType('TagViolation', ViolationType);

const caseText = 'True: key and values are case-sensitive. False: case is ignored.';
const patternText =
  'Regular expression in RE2 syntax, matched against the whole value. Backreferences and lookaround are ' +
  'not supported.';

const RuleType = answerType('TagRule', 'Rule for one tag.', {
  key: text('Tag key, matched ignoring case.'),
  required: flag('Whether a missing tag is a violation.'),
  allowedValues: texts('Allowed values; if empty, any value is allowed.'),
  pattern: orNull(text(`${patternText} Null if any value is allowed.`)),
  caseSensitive: flag(caseText),
});

/** Input of a rule. */
export const RuleInputType = builder.inputType('TagRuleInput', {
  description: 'Rule for one tag. If both `allowedValues` and `pattern` are given, a value must match both.',
  fields: (t) => ({
    key: t.string({
      ...bounded(ruleKeyRule),
      required: true,
      description: `Tag key, 1 to ${policyLimits.keyCharacters} characters, unique in the policy.`,
    }),
    required: t.boolean({
      defaultValue: true,
      description: 'Whether a missing tag is a violation. A tag with an empty value is not missing.',
    }),
    allowedValues: t.stringList({
      ...bounded(allowedValuesRule),
      description: `Allowed values, at most ${policyLimits.allowedValues}; if empty, any value is allowed.`,
    }),
    pattern: t.string({
      ...bounded(patternRule),
      description: `${patternText} Case is ignored unless \`caseSensitive\` is true.`,
    }),
    caseSensitive: t.boolean({ defaultValue: false, description: caseText }),
  }),
});

const violationCountOf = batched((shown: readonly Pick<TagPolicy, 'id' | 'enabled'>[], ctx) =>
  countViolations(ctx.deps, viewerOf(ctx).scope, shown),
);

const isEvaluating = batched((shown: readonly Pick<TagPolicy, 'enabled' | 'accountId'>[], ctx) =>
  areEvaluating(ctx.deps, viewerOf(ctx).scope, shown),
);

/** A policy, as nested in any answer. */
export const PolicyType = builder.prismaObject('TagPolicy', {
  ...foundById,
  description: 'Rules for the tags of resources.',
  fields: (t) =>
    columns(t, 'TagPolicy', {
      id: uuid('UUIDv7 of the policy.'),
      name: text('Display name.'),
      rules: t.field({
        type: [RuleType],
        description: 'Rules, one per tag key.',
        select: { rules: true },
        resolve: ({ rules }) => parseRules(rules),
      }),
      provider: orNull(text('Provider in scope, as a slug such as `aws`; null for all.')),
      accountId: orNull(uuid('UUID of the connected account in scope; null for all accounts.')),
      account: t.relation('account', accountInScope),
      resourceTypes: texts('Resource types in scope, ignoring case; if empty, all types.'),
      enabled: flag('Whether the policy is evaluated.'),
      violationCount: t.int({
        description: 'Number of violations in the caller’s scope as of the last evaluation; 0 while disabled.',
        select: { enabled: true },
        resolve: (policy, _args, ctx) => violationCountOf(policy, ctx),
      }),
      evaluating: t.boolean({
        description:
          'Whether resources are still being evaluated after a change to tag policies. `violationCount` may be incomplete until then.',
        select: { enabled: true, accountId: true },
        resolve: (policy, _args, ctx) => isEvaluating(policy, ctx),
      }),
      createdById: orNull(
        uuid('UUID of the creator; the Super Admin’s for records of a former member.', restName('created_by')),
      ),
      createdBy: t.field(memberRelation('createdById', 'The creator; the Super Admin for records of a former member.')),
      createdAt: instant('Creation time.'),
      updatedAt: instant('Time of the last change.'),
    }),
});

listOnAccount('tagPolicies', 'tag_policies', PolicyType, {
  description: 'Tag policies of this account only, newest first.',
  select: (...read) => policies.select(...read),
});

export const PolicyPage = pageType('TagPolicy', PolicyType);
