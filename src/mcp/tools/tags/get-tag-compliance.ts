import { z } from 'zod';
import type { Api, Query } from '../../api/api.ts';
import { fit } from '../../fit.ts';
import { costFilters, pageInput, several } from '../../input/filters.ts';
import { asOf, hint, pageOf, pagination } from '../../output.ts';
import { BadArguments } from '../../bad-arguments.ts';
import { defineTool } from '../tool.ts';
import { policyOutput, policyShape, tagKeyShape, tagProblems, violationOutput, violationShape } from './shapes.ts';
import { shownKey, shownPolicy, shownViolation } from './shown.ts';

const sections = ['keys', 'policies', 'violations'] as const;

const input = z.strictObject({
  include: z
    .array(z.enum(sections))
    .min(1)
    .optional()
    .describe('keys: cost coverage of each; policies: their rules; violations: resources that break them. Default all'),
  tag_key: z.string().min(1).optional().describe('Violations of this key, and keys that contain it'),
  account_id: costFilters.account_id,
  provider: costFilters.provider,
  policy_id: several.describe('Violations of these policies'),
  problem: z.array(z.enum(tagProblems)).min(1).optional(),
  page: pageInput.page.describe('Requires one section in include'),
  per_page: z.int().min(1).max(25).optional().describe('Default 20'),
});

const output = z.object({
  as_of: asOf,
  keys: z.array(tagKeyShape).optional(),
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

/** The sections that were asked for. */
interface Found {
  readonly keys?: Page<z.output<typeof tagKeyShape>> | undefined;
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
  run: async ({ api, now }, args) => {
    const wanted = new Set<Section>(args.include ?? sections);
    if (args.page !== undefined && wanted.size > 1)
      throw new BadArguments(`page ${args.page} requires a single section in include: ${sections.join(', ')}`, 'page');
    const [keys, policies, violations] = await Promise.all([
      wanted.has('keys') ? keysOf(api, args) : undefined,
      wanted.has('policies') ? policiesOf(api, args) : undefined,
      wanted.has('violations') ? violationsOf(api, args) : undefined,
    ]);
    return { as_of: now.toISOString(), ...answerOf({ keys, policies, violations }) };
  },
});

function pageArguments({ page, per_page: perPage = 20 }: Arguments): Query {
  return { page, per_page: perPage };
}

function keysOf(api: Api, args: Arguments) {
  const { tag_key: search, account_id, provider } = args;
  return api.get('/tags', { search, account_id, provider, ...pageArguments(args) }, pageOf(tagKeyShape));
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

function answerOf(found: Found): Omit<z.input<typeof output>, 'as_of'> {
  const { keys, policies, violations } = found;
  const pages = Object.entries({ keys, policies, violations }).flatMap(([name, page]) =>
    page ? [{ name, page }] : [],
  );
  const [only] = pages;
  return {
    ...fit((limits) => ({
      ...(keys && { keys: keys.data.map((key) => shownKey(key, limits)) }),
      ...(policies && { policies: policies.data.map((policy) => shownPolicy(policy, limits)) }),
      ...(violations && { violations: violations.data.map((violation) => shownViolation(violation, limits)) }),
    })),
    totals: Object.fromEntries(pages.map(({ name, page }) => [name, page.pagination.total])),
    ...(only && pages.length === 1 ? { pagination: only.page.pagination } : {}),
    ...hintFor(found),
  };
}

/** Without policies nothing can break one: that must not look like order. */
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
