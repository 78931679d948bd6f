import type { Deps } from '../../kit/deps.ts';
import type { Db } from '../../kit/db.ts';
import { arg, conflict, fix, invalid, operation } from '../../kit/errors/errors.ts';
import {
  clearable,
  defaulted,
  fixed,
  given,
  parseChange,
  parseRecord,
  required,
  type RecordChange,
  type RecordInput,
} from '../../kit/record-fields.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import { type OrgScope, requireAllAccounts, type Viewer } from '../../tenancy/auth/scope.ts';
import { keyDimension, virtualKeyOf } from '../costs/dimensions.ts';
import { lineRule, nameRule, parseName, unprintable } from '../../tenancy/login/input.ts';
import { allocationLimits, allocationRulesRule, parseRules, parseValue, valueRule } from './rules.ts';
import { checkSplitValues, parseSplits, requireMetrics, splitsRule } from './splits.ts';
import { holdEnabledTag, listTagUsers, liveOf, lockVirtualTags, virtualTags, type VirtualTag } from './store.ts';

export { pageVirtualTags } from './store.ts';

type TagDeps = Pick<Deps, 'db' | 'clock' | 'queue'>;

/** Keys as in `virtual:KEY`. */
const keyRule = { pattern: '^[a-z0-9][a-z0-9_.\\-]{0,59}$' } as const;
const descriptionRule = { ...lineRule, maxLength: 500 } as const;

/** The value of charges that no rule matches, by default. */
export const unallocated = 'Unallocated';

/** The fields of a virtual tag that clients set. */
export const virtualTagFields = {
  key: fixed(parseKey, keyRule),
  name: required(parseName, nameRule),
  description: clearable('', parseDescription, descriptionRule),
  defaultValue: defaulted(unallocated, parseValue, valueRule),
  rules: required(parseRules, allocationRulesRule),
  splits: clearable([], parseSplits, splitsRule),
  enabled: defaulted(true, given<boolean>),
};

export type VirtualTagInput = RecordInput<typeof virtualTagFields>;
export type VirtualTagChange = RecordChange<typeof virtualTagFields>;

/** Creates a virtual tag. Answers use it at once, from the facts until its evaluation is complete.
 *  @throws {AppError} VALIDATION_ERROR naming the field; CONFLICT if the key is taken; FORBIDDEN without access to all accounts */
export async function createVirtualTag(
  deps: TagDeps,
  viewer: Viewer,
  actor: Actor,
  input: VirtualTagInput,
): Promise<VirtualTag> {
  requireAll(viewer.scope);
  const { key: givenKey, ...data } = parseRecord(virtualTagFields, input);
  checkSplitValues(data.splits, data);
  return deps.db.$transaction(async (db) => {
    const existing = await lockVirtualTags(db, viewer.scope);
    await requireMetrics(db, viewer.scope, data.splits);
    const key = givenKey ?? keyOf(data.name);
    if (existing.some((other) => other.key === key))
      throw conflict`${arg('key', key)} is the key of another virtual tag${fix}choose another one`;
    const slots = new Set(existing.map(({ slot }) => slot));
    const slot = Array.from({ length: allocationLimits.tags + 1 }, (_, at) => at).find((at) => !slots.has(at)) ?? 0;
    const added = { ...data, key, slot, revision: 1, liveRevision: 1, live: liveOf(data) };
    const made = await virtualTags.add(db, { viewer, actor, now: deps.clock.now() }, added);
    await queueEvaluation(deps, db, viewer.scope);
    return made;
  });
}

/** Updates the given fields of a virtual tag. Answers use new rules once all billing months are evaluated.
 *  @throws {AppError} VALIDATION_ERROR when nothing is given, or naming the field; NOT_FOUND; FORBIDDEN without access to all
 *    accounts; CONFLICT if it is disabled while budgets or alert rules use it */
export async function updateVirtualTag(
  deps: TagDeps,
  viewer: Viewer,
  actor: Actor,
  { id, ifUnmodifiedSince, ...change }: VirtualTagChange & { readonly id: string },
): Promise<VirtualTag> {
  const { key: _fixed, ...data } = parseChange(virtualTagFields, change);
  return deps.db.$transaction(async (db) => {
    const before = await virtualTags.lock(db, viewer.scope, id);
    requireAll(viewer.scope);
    const after = { ...before, ...data };
    if (before.enabled && !after.enabled) await requireUnused(db, viewer.scope, before.key);
    checkSplitValues(after.splits, after);
    await requireMetrics(db, viewer.scope, after.splits);
    const by = { viewer, actor, now: deps.clock.now() };
    const changed = { data: { ...data, ...revised(before, after) }, changed: Object.keys(data), ifUnmodifiedSince };
    const updated = await virtualTags.change(db, by, before, changed);
    await queueEvaluation(deps, db, viewer.scope);
    return updated;
  });
}

/** Deletes a virtual tag.
 *  @throws {AppError} NOT_FOUND; FORBIDDEN without access to all accounts; CONFLICT while budgets or alert rules use it */
export async function deleteVirtualTag(
  { db }: Pick<Deps, 'db'>,
  viewer: Viewer,
  actor: Actor,
  id: string,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const tag = await virtualTags.lock(tx, viewer.scope, id);
    requireAll(viewer.scope);
    await requireUnused(tx, viewer.scope, tag.key);
    await virtualTags.remove(tx, viewer.scope, actor, tag);
  });
}

/** Checks that the virtual tag of a tag key exists and is enabled, and keeps it so until the transaction ends.
 *  @param tagKey `virtual:KEY`; other tag keys are accepted
 *  @param field the client's spelling of the field
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export async function requireVirtualTag(db: Db, scope: OrgScope, tagKey: string, field: string): Promise<void> {
  const key = virtualKeyOf(keyDimension(tagKey));
  if (key !== null && !(await holdEnabledTag(db, scope, key)))
    throw invalid`${arg(field, tagKey)} is not an enabled virtual tag of the organization${fix}use a key from ${operation('GET /virtual-tags')}`;
}

/** Maximum number of names that an error lists. */
const mostNames = 3;

/** Checks that no budget or alert rule covers a value of a locked virtual tag: its spend would be 0 from then on. */
async function requireUnused(db: Db, scope: OrgScope, key: string): Promise<void> {
  const { budgets, rules } = await listTagUsers(db, scope, key);
  const users = [...budgets.map((name) => `budget “${name}”`), ...rules.map((name) => `alert rule “${name}”`)];
  if (users.length === 0) return;
  const more = users.length - mostNames;
  const named = users.slice(0, mostNames).join(', ') + (more > 0 ? ` and ${more} more` : '');
  throw conflict`The virtual tag is used by ${named}${fix}delete these first, or give them another scope`;
}

/** Returns the columns of a revision. New rules make a new one, which is not that of the rollup in use: see `virtualRollup`.
 *  Splits are applied to answers, so without new rules they count at once. */
function revised(before: VirtualTag, after: VirtualTag): object {
  const isLive = before.revision === before.liveRevision;
  const isRuled = (tag: VirtualTag) => JSON.stringify([tag.defaultValue, tag.rules]);
  if (isRuled(before) !== isRuled(after)) return { revision: before.revision + (isLive ? 1 : 2) };
  return isLive ? { live: liveOf(after) } : {};
}

function requireAll(scope: OrgScope): void {
  requireAllAccounts(scope, 'Virtual tags apply to all accounts');
}

async function queueEvaluation(
  { queue }: Pick<Deps, 'queue'>,
  db: Db,
  { organizationId }: Pick<OrgScope, 'organizationId'>,
): Promise<void> {
  await queue.add('evaluate_virtual_tags', { organizationId }, { within: db });
}

function parseKey(key: string, at: string): string {
  if (new RegExp(keyRule.pattern, 'u').test(key)) return key;
  throw invalid`${arg(at, key)} must have 1 to 60 lowercase letters, digits, hyphens, underscores or dots, and start with a letter or digit, such as team`;
}

/** Derives a key from a name. */
function keyOf(name: string): string {
  const key = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 60)
    .replace(/-$/, '');
  if (key === '') throw invalid`${arg('key')} is required, because it cannot be derived from the name`;
  return key;
}

function parseDescription(text: string, at: string): string {
  const { length } = [...text];
  if (length > descriptionRule.maxLength)
    throw invalid`${arg(at)} has ${length} characters; at most ${descriptionRule.maxLength} are allowed`;
  if (unprintable.test(text)) throw invalid`${arg(at)} must not contain control characters`;
  return text;
}
