import { builder } from '../../graph/builder.ts';
import { pageType } from '../../graph/paging.ts';
import type { CountedPolicy } from './policies.ts';
import { policyLimits } from './input.ts';
import type { TagRule } from './rule.ts';
import type { TagKey, TagViolation } from './run.ts';

/** How a resource breaks a rule. */
export const ProblemEnum = builder.enumType('TagProblem', {
  description: 'How a resource breaks a rule.',
  values: {
    MISSING: { value: 'missing', description: 'It lacks the tag.' },
    VALUE_NOT_ALLOWED: { value: 'value_not_allowed', description: 'The value is none of the allowed ones.' },
    PATTERN_MISMATCH: { value: 'pattern_mismatch', description: 'The value does not match the pattern.' },
    WRONG_CASE: { value: 'wrong_case', description: 'Key or value would be right, were it not for their case.' },
  } as const,
});

const TagKeyType = builder.objectRef<TagKey>('TagKey').implement({
  description:
    'How a tag key is used in the accounts that the caller may see. Keys that differ in case only are one key. Money is ' +
    'converted by the charge month’s exchange rate; what has no rate is left out.',
  fields: (t) => ({
    key: t.exposeString('key', {
      description:
        'The key, spelled as by most of its resources in the account and at the provider that have most of them.',
    }),
    valueCount: t.exposeInt('valueCount', {
      description: 'Different values on resources that are there and on charges of the last 30 days.',
    }),
    resourceCount: t.exposeInt('resourceCount', { description: 'Resources that are there and carry the key.' }),
    costLast30Days: t.expose('costLast30Days', {
      type: 'Decimal',
      description:
        'FOCUS EffectiveCost of the charges that carry the key, of the 30 days up to each account’s last complete day, in ' +
        '`currency`, rounded to 6 decimals.',
    }),
    currency: t.exposeString('currency', { description: 'The organization’s currency, ISO 4217.' }),
    coveragePercent: t.expose('coveragePercent', {
      type: 'Decimal',
      nullable: true,
      description:
        'Share of the cost of what can be tagged that carries the key, 0 to 100. Nobody can tag taxes, credits, adjustments, ' +
        'support, commitments and their unused part, and charges without a resource: they count on neither side. Null where ' +
        'nothing can be tagged.',
    }),
  }),
});

/** A page of tag keys. */
export const TagKeyPage = pageType('TagKey', TagKeyType);

const ResourceType = builder.objectRef<TagViolation['resource']>('ViolatingResource').implement({
  description: 'The resource that breaks a rule.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the resource, as the inventory has it.' }),
    accountId: t.exposeID('accountId', { description: 'The connected account that it belongs to.' }),
    provider: t.exposeString('provider', { description: 'Provider, as a slug such as `aws`.' }),
    nativeId: t.exposeString('nativeId', {
      description: 'What the provider calls it: FOCUS ResourceId, such as an ARN.',
    }),
    name: t.exposeString('name', { description: 'Its display name.' }),
    resourceType: t.exposeString('resourceType', { description: 'What it is, in the provider’s words.' }),
    service: t.exposeString('service', { description: 'FOCUS ServiceName of most of its cost.' }),
    region: t.exposeString('region', { description: 'FOCUS RegionId.' }),
  }),
});

const ViolationType = builder.objectRef<TagViolation>('TagViolation').implement({
  description:
    'A resource that breaks a rule of a tag policy, as of the last evaluation: after each sync, once a day, and after a change ' +
    'of a policy.',
  fields: (t) => ({
    policyId: t.exposeID('policyId', { description: 'UUIDv7 of the policy.' }),
    policyName: t.exposeString('policyName', { description: 'Name of the policy.' }),
    resource: t.field({
      type: ResourceType,
      description: 'What breaks it.',
      resolve: (violation) => violation.resource,
    }),
    key: t.exposeString('key', { description: 'Key of the rule.' }),
    problem: t.expose('problem', { type: ProblemEnum, description: 'How it is broken.' }),
    value: t.exposeString('value', { nullable: true, description: 'The tag’s value; null where the tag is missing.' }),
    costLast30Days: t.expose('costLast30Days', {
      type: 'Decimal',
      description:
        'FOCUS EffectiveCost of the resource, of the 30 days up to the account’s last complete day, in `currency`, rounded to 6 ' +
        'decimals.',
    }),
    currency: t.exposeString('currency', { description: 'Billing currency of the resource, ISO 4217.' }),
  }),
});

/** A page of violations. */
export const ViolationPage = pageType('TagViolation', ViolationType);

const caseText =
  'True: key and values must be spelled in the case given here, and a tag that is right but for its case breaks the rule. ' +
  'False: case does not matter.';
const patternText =
  'RE2 syntax, matched against the whole value and in time linear in its length, so that there are no back references and no ' +
  'looking around.';

const RuleType = builder.objectRef<TagRule>('TagRule').implement({
  description: 'What a policy expects of one tag.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The tag key. It matches whatever its case.' }),
    required: t.exposeBoolean('required', { description: 'Whether a resource without the tag breaks the rule.' }),
    allowedValues: t.exposeStringList('allowedValues', { description: 'Values that the tag may have; empty: any.' }),
    pattern: t.exposeString('pattern', { nullable: true, description: `${patternText} Null: any value.` }),
    caseSensitive: t.exposeBoolean('caseSensitive', { description: caseText }),
  }),
});

/** A rule to set. */
export const RuleInputType = builder.inputType('TagRuleInput', {
  description: 'What a policy is to expect of one tag. Allowed values and pattern hold both, where both are given.',
  fields: (t) => ({
    key: t.string({
      required: true,
      description: `The tag key, 1 to ${policyLimits.keyCharacters} characters. A policy names a key once.`,
    }),
    required: t.boolean({
      defaultValue: true,
      description: 'Whether a resource without the tag breaks the rule. A tag with an empty value is there.',
    }),
    allowedValues: t.stringList({
      description: `Values that the tag may have, at most ${policyLimits.allowedValues}; none: any.`,
    }),
    pattern: t.string({ description: `${patternText} Case does not matter unless \`caseSensitive\` is true.` }),
    caseSensitive: t.boolean({ defaultValue: false, description: caseText }),
  }),
});

/** A policy, in whatever answer it stands. */
export const PolicyType = builder.objectRef<CountedPolicy>('TagPolicy').implement({
  description: 'What the organization expects of the tags of its resources, or of some of them.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the policy.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    rules: t.field({
      type: [RuleType],
      description: 'What it expects, one rule a key.',
      resolve: ({ rules }) => rules,
    }),
    provider: t.exposeString('provider', {
      nullable: true,
      description: 'Provider whose resources it is about, as a slug such as `aws`; null: every one.',
    }),
    accountId: t.exposeID('accountId', {
      nullable: true,
      description: 'The connected account whose resources it is about; null: every one.',
    }),
    resourceTypes: t.exposeStringList('resourceTypes', {
      description: 'Resource types that it is about, whatever their case; empty: every one.',
    }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether resources are judged by it.' }),
    violationCount: t.exposeInt('violationCount', {
      description:
        'Violations in the accounts that the caller may see, as of the last evaluation; 0 while it is disabled.',
    }),
    createdBy: t.exposeID('createdBy', { nullable: true, description: 'UUID of the user who made it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

/** A page of policies. */
export const PolicyPage = pageType('TagPolicy', PolicyType);
