import { z } from 'zod';
import * as shapes from '../../../schema/rest.ts';
import type { Api, Query } from '../api/client.ts';
import { cut, fit, trimRow, type Limits } from '../fit.ts';
import { costFilters, pageInput, several } from '../input.ts';
import { hint, pageOf, pagination } from '../output.ts';
import { BadArguments } from '../api/failure.ts';
import { defineTool } from './tool.ts';

/** From `/tags/violations`. */
const violationShape = shapes.TagViolation.omit({ policy_id: true, converted: true }).extend({
  // `unknown` values keep the tool's schema shorter.
  other_costs: z.array(z.unknown()),
  resource: shapes.ViolatingResource.omit({ provider: true, service: true, region: true }),
});

/** A violation as the tool returns it. */
const violationOutput = z.object({
  ...violationShape.omit({ resource: true }).shape,
  resource_id: z.string(),
  resource_name: z.string(),
  native_id: z.string(),
  resource_type: z.string(),
  account_id: z.string(),
});

/** From `/tag-policies`. */
const policyShape = shapes.TagPolicy.omit({ created_by: true, created_at: true, updated_at: true });

/** A policy as the tool returns it, with its rules in words. */
const policyOutput = policyShape.extend({ rules: z.array(z.string()) });

const sections = ['keys', 'policies', 'violations'] as const;

const input = z.strictObject({
  include: z
    .array(z.enum(sections))
    .min(1)
    .optional()
    .describe('keys: cost coverage of each; policies: their rules; violations: resources. Default all'),
  tag_key: z.string().min(1).optional().describe('Violations of this key, and keys that contain it'),
  account_id: costFilters.account_id,
  provider: costFilters.provider,
  policy_id: several.describe('Violations of these policies'),
  problem: z.array(shapes.TagProblem).min(1).optional(),
  page: pageInput.page.describe('Requires one section in include'),
  per_page: z.int().min(1).max(25).optional().describe('Default 20'),
});

const output = z.object({
  keys: z.array(shapes.TagKey).optional(),
  policies: z.array(policyOutput).optional(),
  violations: z.array(violationOutput).optional(),
  totals: z.object({ keys: z.int().optional(), policies: z.int().optional(), violations: z.int().optional() }),
  pagination: pagination.optional(),
  truncated: z.boolean().optional(),
  hint,
});

type Arguments = z.output<typeof input>;
type Section = (typeof sections)[number];
type Page<Row> = { readonly data: readonly Row[]; readonly pagination: z.output<typeof pagination> };

/** The requested sections. */
interface Found {
  readonly keys?: Page<z.output<typeof shapes.TagKey>> | undefined;
  readonly policies?: Page<z.output<typeof policyShape>> | undefined;
  readonly violations?: Page<z.output<typeof violationShape>> | undefined;
}

export const getTagCompliance = defineTool({
  name: 'get_tag_compliance',
  title: 'Get tag compliance',
  description:
    'Cost coverage of tag keys, tag policies, and resources that violate them (untagged or wrongly tagged), ' +
    'most expensive first. For costs by tag value use get_cost_breakdown.',
  effect: 'read',
  input,
  output,
  run: async ({ api }, args) => {
    const wanted = new Set<Section>(args.include ?? sections);
    if (args.page !== undefined && wanted.size > 1)
      throw new BadArguments(`page ${args.page} requires a single section in include: ${sections.join(', ')}`, 'page');
    const [keys, policies, violations] = await Promise.all([
      wanted.has('keys') ? keysOf(api, args) : undefined,
      wanted.has('policies') ? policiesOf(api, args) : undefined,
      wanted.has('violations') ? violationsOf(api, args) : undefined,
    ]);
    return answerOf({ keys, policies, violations });
  },
});

function pageArguments({ page, per_page: perPage = 20 }: Arguments): Query {
  return { page, per_page: perPage };
}

function keysOf(api: Api, args: Arguments) {
  const { tag_key: search, account_id, provider } = args;
  return api.get('/tags', { search, account_id, provider, ...pageArguments(args) }, pageOf(shapes.TagKey));
}

function policiesOf(api: Api, args: Arguments) {
  return api.get('/tag-policies', pageArguments(args), pageOf(policyShape));
}

function violationsOf(api: Api, args: Arguments) {
  const { tag_key, account_id, provider, policy_id, problem } = args;
  const key = tag_key === undefined ? undefined : [tag_key];
  const filters = { key, account_id, provider, policy_id, problem };
  return api.get('/tags/violations', { ...filters, ...pageArguments(args) }, pageOf(violationShape));
}

function answerOf(found: Found): z.input<typeof output> {
  const { keys, policies, violations } = found;
  const pages = Object.entries({ keys, policies, violations }).flatMap(([name, page]) =>
    page ? [{ name, page }] : [],
  );
  const [only] = pages;
  return {
    ...fit((limits) => ({
      ...(keys && { keys: keys.data.map((key) => trimRow(key, limits)) }),
      ...(policies && { policies: policies.data.map((policy) => shownPolicy(policy, limits)) }),
      ...(violations && { violations: violations.data.map((violation) => shownViolation(violation, limits)) }),
    })),
    totals: Object.fromEntries(pages.map(({ name, page }) => [name, page.pagination.total])),
    ...(only && pages.length === 1 ? { pagination: only.page.pagination } : {}),
    ...hintFor(found),
  };
}

/** Without policies there are no violations, which must not look like full compliance. */
function hintFor({ keys, policies, violations }: Found): { hint?: string } {
  if (policies?.pagination.total === 0)
    return { hint: 'There are no tag policies, so no resource is checked: an Admin can create policies in Costkeep' };
  if (policies?.data.some(({ evaluating }) => evaluating))
    return { hint: 'Tag policies are still being evaluated after a change, so violations may be incomplete' };
  if (violations?.pagination.total === 0)
    return { hint: 'No matching violations: try fewer filters. Disabled policies are not evaluated: see policies' };
  if (keys?.pagination.total === 0)
    return { hint: 'No tag keys: try another tag_key or fewer filters, or check list_accounts for data' };
  return {};
}

// Tags and names from clouds can be long, and so can the lists in a policy.

type Rule = z.output<typeof shapes.TagRule>;

/** A truncated violation. */
export function shownViolation(
  { resource, ...violation }: z.output<typeof violationShape>,
  { text }: Limits,
): z.input<typeof violationOutput> {
  const { policy_name: policy, key, value } = violation;
  return {
    ...violation,
    policy_name: cut(policy, text),
    key: cut(key, text),
    value: value === null ? null : cut(value, text),
    resource_id: resource.id,
    resource_name: cut(resource.name, text),
    native_id: cut(resource.native_id, text),
    resource_type: cut(resource.resource_type, text),
    account_id: resource.account_id,
  };
}

/** A truncated policy, with its rules in words. */
export function shownPolicy(policy: z.output<typeof policyShape>, limits: Limits): z.input<typeof policyOutput> {
  return {
    ...policy,
    name: cut(policy.name, limits.text),
    provider: policy.provider === null ? null : cut(policy.provider, limits.text),
    resource_types: listed(policy.resource_types, limits),
    rules: listed(policy.rules.map(ruleText), { ...limits, text: limits.text * 2 }),
  };
}

/** Describes a rule in words, such as `env: required; one of "prod", "test"; case-sensitive`. */
export function ruleText({ key, required, allowed_values: values, pattern, case_sensitive: isExact }: Rule): string {
  return [
    `${key}: ${required ? 'required' : 'optional'}`,
    ...(values.length > 0 ? [`one of ${values.map((value) => JSON.stringify(value)).join(', ')}`] : []),
    ...(pattern === null ? [] : [`matches ${pattern}`]),
    ...(isExact ? ['case-sensitive'] : []),
  ].join('; ');
}

function listed(texts: readonly string[], { text, entries }: Limits): string[] {
  const left = texts.length - entries;
  return [...texts.slice(0, entries).map((each) => cut(each, text)), ...(left > 0 ? [`… ${left} more`] : [])];
}
