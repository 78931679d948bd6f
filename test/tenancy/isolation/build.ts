import { evaluateAccount } from '../../../src/analysis/evaluation/run.ts';
import { remakeSums } from '../../../src/analysis/recommendations/sums-store.ts';
import { inTransaction } from '../../../src/kit/database/transaction.ts';
import type { Deps } from '../../../src/kit/deps.ts';
import { recordListing } from '../../../src/facts/inventory/listing.ts';
import { newId } from '../../../src/kit/ids.ts';
import { signAccessToken } from '../../../src/tenancy/sessions/access-token.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { fillCube } from '../../support/cube.ts';
import type { World } from '../../support/world.ts';
import {
  anomalyIds,
  annotationId,
  channelId,
  fileId,
  idsOf,
  evaluatedIds,
  metricId,
  now,
  recommendationIds,
  reportId,
  scheduleId,
  viewIds,
  words,
  type Act,
  type Plan,
  type PlannedAccount,
} from './plan.ts';
import { refreshTokenMs } from '../../../src/tenancy/sessions/refresh-token.ts';

/** Defines which accounts of the plan exist: all of them, or those in the caller's scope. */
export type Exists = (account: number) => boolean;

/** Deletes the data of an earlier run, such as a shrunk variant of the same plan. */
export async function clear({ deps: { pool } }: World): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'organization_id'`,
  );
  for (const { name } of [{ name: 'organizations' }, { name: 'users' }, ...rows])
    await pool.query(`DELETE FROM ${name}`);
}

/** Builds the organization of a plan with only the given accounts. */
export async function build({ deps }: World, plan: Plan, exists: Exists): Promise<void> {
  await fillCube(deps, {
    organizationId: plan.id,
    currency: 'USD',
    accounts: plan.accounts
      .filter((_, index) => exists(index))
      .map((account) => ({ ...account, name: nameOf(account), completeThrough: '2024-05-10' })),
    lines: plan.accounts.filter((_, index) => exists(index)).flatMap((account) => account.lines),
    rates: [
      { month: '2024-03', from: 'EUR', to: 'USD', rate: 1_090_000_000_001n },
      { month: '2024-04', from: 'EUR', to: 'USD', rate: 1_070_000_000_000n },
      { month: '2024-04', from: 'JPY', to: 'USD', rate: 6_666_666_667n },
    ],
    identifiers: [],
  });
  await people(deps, plan, exists);
  await syncs(deps, plan, exists);
  await policies(deps, plan, exists);
  await virtualTags(deps, plan);
  await files(deps, plan, exists);
  await metrics(deps, plan);
  await views(deps, plan, exists);
  await annotations(deps, plan, exists);
  await inventories(deps, plan, exists);
  await budgetsAndRules(deps, plan, exists);
  await reports(deps, plan, exists);
  await notifications(deps, plan, exists);
}

function nameOf({ id }: { id: string }): string {
  return `Account ${id}`;
}

/** Ids derived from the plan: of the Super Admin and the caller. */
export function personOf(plan: Plan, who: 'owner' | 'caller'): string {
  return plan.id.replace(/.{4}$/, who === 'owner' ? 'aaaa' : 'bbbb');
}

async function people({ db }: Deps, plan: Plan, exists: Exists): Promise<void> {
  const [owner, caller] = [personOf(plan, 'owner'), personOf(plan, 'caller')];
  const users = [owner, caller, ...plan.members.map(({ id }) => id)];
  await db.user.createMany({
    data: users.map((id) => ({ id, email: `${id}@example.com`, name: id, passwordHash: '', createdAt: now })),
  });
  const organizationId = plan.id;
  const memberships = [
    { userId: owner, role: 'super_admin' as const, access: null },
    { userId: caller, role: plan.role, access: plan.scope },
    ...plan.members.map(({ id, role, access }) => ({ userId: id, role, access })),
  ];
  await db.membership.createMany({
    data: memberships.map(({ userId, role, access }) => ({
      id: userId, // the same in both worlds
      organizationId,
      userId,
      role,
      restricted: access !== null,
      accountAccess: idsOf(plan, access, exists) ?? [],
      joinedAt: now,
    })),
  });
  const term = { sentAt: now, createdAt: now, expiresAt: new Date(now.getTime() + 86_400_000) };
  await db.invite.createMany({
    data: plan.invites.map(({ id, access }) => ({
      ...term,
      id,
      organizationId,
      email: `${id}@example.com`,
      role: 'member' as const,
      restricted: access !== null,
      accountAccess: idsOf(plan, access, exists) ?? [],
      tokenHash: Buffer.from(id),
      invitedBy: owner,
    })),
  });
}

async function syncs({ db }: Deps, plan: Plan, exists: Exists): Promise<void> {
  const organizationId = plan.id;
  for (const [index, { id, sync, maker }] of plan.accounts.entries()) {
    if (!exists(index)) continue;
    const createdBy = plan.members[maker]?.id ?? null;
    await db.account.update({ where: { id }, data: { createdBy }, select: { id: true } });
    const data = {
      accountId: id,
      organizationId,
      lastSyncedAt: now,
      ...(sync === 'failed' && { lastError: 'No file' }),
    };
    if (sync) await db.accountSync.create({ data: { ...data, status: sync }, select: { accountId: true } });
  }
}

/** A budget and a triggered alert rule per account, owned by the member who connected it, and one of each for all accounts. */
async function budgetsAndRules({ db }: Deps, plan: Plan, exists: Exists): Promise<void> {
  const organizationId = plan.id;
  const things = [
    ...plan.accounts.flatMap(({ id, maker }, index) =>
      exists(index) ? [{ ...evaluatedIds({ id }), accountId: id, createdById: plan.members[maker]?.id ?? '' }] : [],
    ),
    { ...evaluatedIds(plan), accountId: null, createdById: personOf(plan, 'owner') },
  ];
  for (const { budget, rule, accountId, createdById } of things) {
    const about = { accountId, channelIds: [channelId(plan)] };
    const shared = { ...about, organizationId, createdById, name: 'Cloud', createdAt: now, updatedAt: now };
    await db.budget.create({
      data: { ...shared, id: budget, amount: 50, currency: 'USD', alertThresholds: [80, 100] },
      select: { id: true },
    });
    await db.alertRule.create({
      data: { ...shared, id: rule, metric: 'daily_cost', operator: 'gt', threshold: 1 },
      select: { id: true },
    });
    const firing = { day: new Date('2024-05-10'), figure: 2, threshold: 1, firedAt: now };
    await db.alertFiring.create({ data: { ...firing, ruleId: rule }, select: { ruleId: true } });
  }
}

/** A report with its schedule per account, and one for all accounts; the content of each file is the report's id. */
async function reports({ db }: Deps, plan: Plan, exists: Exists): Promise<void> {
  const day = new Date('2024-05-01T00:00:00Z');
  const made = {
    type: 'inventory',
    format: 'csv',
    status: 'ready',
    startDate: day,
    endDate: day,
    createdAt: now,
  } as const;
  const owner = { organizationId: plan.id, createdById: personOf(plan, 'owner') };
  const expiresAt = new Date(now.getTime() + 86_400_000);
  const accounts = plan.accounts.filter((_, index) => exists(index));
  for (const about of [plan, ...accounts]) {
    const id = reportId(about);
    const schedule = {
      id: scheduleId(about),
      name: 'Monday',
      type: made.type,
      format: made.format,
      frequency: 'weekly',
      day: 1,
      hour: 6,
      timeZone: 'UTC',
      createdAt: now,
      updatedAt: now,
    };
    const accountIds = about === plan ? [] : [about.id];
    const file = {
      sizeBytes: BigInt(id.length),
      sha256: id,
      chunks: { create: { part: 0, bytes: new TextEncoder().encode(id) } },
    };
    const filters = { account_id: accountIds };
    await db.reportSchedule.create({
      data: { ...schedule, ...owner, filters: about === plan ? {} : filters },
      select: { id: true },
    });
    await db.report.create({
      data: {
        ...made,
        ...owner,
        ...file,
        id,
        accountIds,
        isRestricted: about !== plan,
        filters,
        scheduleId: schedule.id,
        expiresAt,
      },
      select: { id: true },
    });
  }
}

/** Resources from the bills, and a listed resource per charge, equal in every account, with ids known in both worlds. */
async function inventories(deps: Deps, plan: Plan, exists: Exists): Promise<void> {
  const scope = orgScope(plan.id, null);
  for (const [index, account] of plan.accounts.entries()) {
    if (!exists(index)) continue;
    const items = account.lines.map((line, at) => ({
      ...line,
      nativeId: `r${at}`,
      name: '',
      resourceType: line.service,
      metadata: {},
    }));
    await recordListing(deps, scope, account.id, { items, listedAt: now });
    await evaluateAccount(deps, scope, account.id);
    await deps.pool.query(
      `UPDATE inventory_resources r SET id = overlay(r.account_id::text PLACING 'e' || lpad(n::text, 3, '0') FROM 33)::uuid
       FROM (SELECT resource_id, row_number() OVER (ORDER BY provider, native_id) - 1 AS n FROM inventory_resources WHERE account_id = $1) k
       WHERE r.account_id = $1 AND r.resource_id = k.resource_id`,
      [account.id],
    );
    await recommendations(deps, plan, account);
    await anomalies(deps, plan, account);
  }
}

/** The member who connected an account. */
function makerOf(plan: Plan, { maker }: PlannedAccount): string | null {
  return plan.members[maker]?.id ?? null;
}

/** The first resources of an account's inventory, by id; other accounts have resources with the same names. */
async function listedOf({ db }: Deps, accountId: string) {
  const select = { resourceId: true, nativeId: true, provider: true };
  return db.inventoryResource.findMany({ where: { accountId }, orderBy: { id: 'asc' }, take: 2, select });
}

/** Replaces detected anomalies, whose ids are generated, with ones that are equal in every account except for their amounts. */
async function anomalies(deps: Deps, plan: Plan, account: PlannedAccount): Promise<void> {
  const { db } = deps;
  const { id: organizationId } = plan;
  const { id: accountId, lines } = account;
  const listed = await listedOf(deps, accountId);
  await db.anomaly.deleteMany({ where: { accountId } });
  const what = { kind: 'spike', startDate: new Date('2024-03-25'), endDate: new Date('2024-04-01') } as const;
  const drivers = listed.map(({ nativeId: value }) => ({
    dimension: 'resource',
    value,
    name: '',
    change: 9,
    share: 45,
  }));
  const facts = { ...what, drivers, undivided: [], newResources: { count: 0, cost: 0, share: 0 }, usage: null };
  const money = { actual: 30, expected: 10, impact: 20, impactPercent: 200, dayCount: 8, currency: 'USD' };
  await db.anomaly.createMany({
    data: anomalyIds(account).map((id, at) => ({
      ...what,
      id,
      organizationId,
      accountId,
      provider: listed[0]?.provider ?? 'aws',
      service: words.service[at] ?? 'Compute',
      region: words.region[at] ?? '',
      severity: 'low',
      currency: words.currency[at + 1] ?? 'USD',
      expectedCost: 10,
      actualCost: 30 + lines.length,
      series: [{ date: '2024-03-25', cost: 30, expected_cost: 10 }],
      facts: {
        ...facts,
        ...money,
        provider: 'aws',
        service: 'Compute',
        startDate: '2024-03-25',
        endDate: '2024-04-01',
      },
      status: at === 0 ? ('open' as const) : ('resolved' as const),
      statusChangedById: at === 0 ? null : makerOf(plan, account),
      assigneeId: at === 0 ? makerOf(plan, account) : null,
      detectedAt: now,
      updatedAt: now,
    })),
  });
}

/** Recommendations that are equal in every account except for their savings. */
async function recommendations(deps: Deps, plan: Plan, account: PlannedAccount): Promise<void> {
  const { db, pool } = deps;
  const { id: organizationId } = plan;
  const { id: accountId, lines } = account;
  const listed = await listedOf(deps, accountId);
  const found = {
    provider: 'aws',
    type: 'aws_eip_idle',
    title: 'Release it',
    description: 'Idle',
    evidence: {},
    scripts: [],
  };
  await db.recommendation.createMany({
    data: recommendationIds(account).map((id, at) => ({
      ...found,
      id,
      organizationId,
      accountId,
      fingerprint: `aws_eip_idle:resource:${at}`,
      resourceId: listed[at]?.resourceId ?? null,
      nativeId: listed[at]?.nativeId ?? null,
      currency: words.currency[at] ?? 'USD',
      estimatedMonthlySavings: 10 * lines.length + at,
      confidence: 'high',
      status: at === 0 ? ('applied' as const) : ('open' as const),
      statusChangedById: at === 0 ? makerOf(plan, account) : null,
      assigneeId: at === 0 ? null : makerOf(plan, account),
      snoozedUntil: at === 1 ? new Date(now.getTime() + 86_400_000) : null,
      createdAt: now,
      updatedAt: now,
    })),
  });
  await inTransaction(pool, (client) => remakeSums(client, orgScope(organizationId, null), accountId));
}

async function policies({ db }: Deps, plan: Plan, exists: Exists): Promise<void> {
  const rule = { required: true, pattern: null, caseSensitive: false };
  const rules = words.tagKey.map((key) => ({ ...rule, key, allowedValues: [words.tagValue[0]] }));
  const shared = { organizationId: plan.id, createdAt: now, updatedAt: now, rules, resourceTypes: [] };
  await db.tagPolicy.createMany({
    data: plan.policies
      .filter(({ account }) => account === null || exists(account))
      .map(({ account, id, enabled }) => {
        const accountId = account === null ? null : (plan.accounts[account]?.id ?? null);
        return { ...shared, id, accountId, enabled, name: `Policy ${id}` };
      }),
  });
}

/** A virtual tag of the whole organization: restricted members do not see its rules. */
async function virtualTags({ db }: Deps, plan: Plan): Promise<void> {
  const rules = words.tagKey.map((key) => ({
    value: null,
    valueFrom: { dimension: `tag:${key}`, transform: 'none', prefix: null },
    conditions: [],
  }));
  const ruled = { defaultValue: 'Unallocated', rules, splits: [] };
  const shared = { organizationId: plan.id, createdAt: now, updatedAt: now, name: 'Team', description: '' };
  const revision = { slot: 0, revision: 1, liveRevision: 1, live: ruled };
  await db.virtualTag.create({ data: { ...shared, ...ruled, ...revision, id: plan.id, key: 'team' } });
}

async function files({ db }: Deps, plan: Plan, exists: Exists): Promise<void> {
  await db.uploadedFile.createMany({
    data: plan.accounts
      .filter((_, index) => exists(index))
      .map((account) => ({
        id: fileId(account),
        accountId: account.id,
        organizationId: plan.id,
        name: `${account.id}.csv`,
        sizeBytes: 12n,
        sha256: account.id,
        storageKey: `${account.id}/uploads/${fileId(account)}`,
        createdById: personOf(plan, 'owner'),
        createdAt: now,
      })),
  });
}

/** The metric of the organization, with values on some days. */
async function metrics({ db }: Deps, plan: Plan): Promise<void> {
  const id = metricId(plan);
  const owner = { organizationId: plan.id, createdById: personOf(plan, 'owner'), createdAt: now, updatedAt: now };
  await db.unitMetric.create({
    data: { ...owner, id, key: 'orders', name: 'Orders', unit: 'order' },
    select: { id: true },
  });
  const days = ['2024-03-25', '2024-04-01', '2024-05-10'];
  await db.unitMetricValue.createMany({
    data: days.map((date, index) => ({
      organizationId: plan.id,
      metricId: id,
      date: new Date(date),
      labelsDigest: Buffer.from('eu'),
      labels: { shop: 'eu' },
      value: index + 1,
    })),
  });
}

/** A shared view per account and one of all accounts, each with a dashboard that shows it. */
async function views({ db }: Deps, plan: Plan, exists: Exists): Promise<void> {
  const shared = { organizationId: plan.id, visibility: 'organization', createdAt: now, updatedAt: now } as const;
  for (const about of [plan, ...plan.accounts.filter((_, index) => exists(index))]) {
    const { view, dashboard } = viewIds(about);
    const accountIds = about === plan ? [] : [about.id];
    const owner = { ...shared, createdById: personOf(plan, 'owner'), name: `View ${about.id}` };
    await db.savedView.create({
      data: { ...owner, id: view, page: 'costs', query: { account: accountIds }, accountIds },
      select: { id: true },
    });
    const place = { x: 0, y: 0, w: 6, h: 4, chart: 'bar', title: about.id };
    const widgets = [{ ...place, id: view, viewId: view, query: null, accountIds: [] }];
    await db.dashboard.create({ data: { ...owner, id: dashboard, widgets }, select: { id: true } });
  }
}

/** A channel, whose last error names all accounts, and a message to the caller about each account and one about all. */
async function notifications({ db }: Deps, plan: Plan, exists: Exists): Promise<void> {
  const organizationId = plan.id;
  const caller = personOf(plan, 'caller');
  const accounts = plan.accounts.filter((_, index) => exists(index));
  const state = { lastStatus: 'failed', lastAttemptAt: now, lastError: accounts.map(nameOf).join() } as const;
  const own = { organizationId, createdById: personOf(plan, 'owner'), createdAt: now, updatedAt: now };
  await db.channel.create({
    data: { ...own, ...state, id: channelId(plan), name: 'Ops', nameKey: 'ops', kind: 'slack', url: Buffer.from('x') },
    select: { id: true },
  });
  const message = (about: { id: string }, accountIds: string[] | null) => ({
    organizationId,
    id: about.id.replace(/.{4}$/, '3000'),
    channel: 'slack',
    recipient: caller,
    kind: 'budget_alert',
    subjectKey: about.id,
    createdAt: now,
    nextAttemptAt: now,
    content: {
      announcement: { title: `Spend of ${about.id}`, action: { label: 'Open', path: `/budgets/${about.id}` } },
      about: { accountIds },
      userIds: [caller],
    },
  });
  await db.delivery.createMany({
    data: [message(plan, null), ...accounts.map((account) => message(account, [account.id]))],
  });
}

/** An annotation of the organization, and one per account. */
async function annotations({ db }: Deps, plan: Plan, exists: Exists): Promise<void> {
  for (const about of [plan, ...plan.accounts.filter((_, index) => exists(index))]) {
    const days = { startDate: new Date('2026-04-01'), endDate: new Date('2026-04-02') };
    const owner = { organizationId: plan.id, createdById: personOf(plan, 'owner'), createdAt: now, updatedAt: now };
    const data = { id: annotationId(about), accountId: about === plan ? null : about.id, text: about.id, ...days };
    await db.annotation.create({ data: { ...owner, ...data }, select: { id: true } });
  }
}

/** Opens a session and returns its token. */
export async function tokenOf({ deps }: World, plan: Plan, who: 'owner' | 'caller'): Promise<string> {
  const id = plan.id.replace(/.{4}$/, who === 'owner' ? 'cccc' : 'dddd');
  const userId = personOf(plan, who);
  await deps.db.session.upsert({
    where: { id },
    update: {},
    create: {
      id,
      organizationId: plan.id,
      userId,
      refreshHash: Buffer.from(newId(now)),
      ipAddress: '',
      userAgent: '',
      createdAt: now,
      lastUsedAt: now,
      expiresAt: new Date(now.getTime() + refreshTokenMs),
    },
    select: { id: true },
  });
  return signAccessToken(deps, { userId, sessionId: id });
}

/** Performs an act as the Super Admin, as far as its targets exist in this world. */
export async function perform(world: World, plan: Plan, act: Act, exists: Exists): Promise<void> {
  const request = requestOf(plan, act, exists);
  if (!request) return;
  const token = await tokenOf(world, plan, 'owner');
  const { method, path, body, accept } = request;
  const answer = await world.rest(method, path, {
    token,
    ...(body && { body }),
    ...(accept && { headers: { accept } }),
  });
  // A member that was already removed is not found in either world.
  if (answer.status >= 400 && answer.status !== 404) throw new Error(`${method} ${path}: ${answer.text}`);
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly accept?: string;
}

function requestOf(plan: Plan, act: Act, exists: Exists): Asked | null {
  switch (act.kind) {
    case 'access': {
      const body = { account_access: idsOf(plan, act.access, exists) };
      return { method: 'PATCH', path: `/org/members/${plan.members[act.member]?.id}`, body };
    }
    case 'role':
      return { method: 'PATCH', path: `/org/members/${plan.members[act.member]?.id}`, body: { role: act.role } };
    case 'remove':
      return { method: 'DELETE', path: `/org/members/${plan.members[act.member]?.id}` };
    case 'invite': {
      const body = { emails: ['new@example.com'], role: 'viewer', account_access: idsOf(plan, act.access, exists) };
      return { method: 'POST', path: '/org/invite', body };
    }
    // The same words whether or not the account exists.
    case 'export':
      return {
        method: 'GET',
        path: `/costs/by-account?account_id=${plan.accounts[act.account]?.id}`,
        accept: 'text/csv',
      };
    case 'rename':
      return exists(act.account)
        ? { method: 'PATCH', path: `/accounts/${plan.accounts[act.account]?.id}`, body: { name: 'Renamed' } }
        : null;
    case 'disconnect':
      return exists(act.account)
        ? { method: 'DELETE', path: `/accounts/${plan.accounts[act.account]?.id}?purge=${act.purge}` }
        : null;
    default:
      return act satisfies never;
  }
}
